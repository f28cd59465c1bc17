import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { startInterpreter } from "./interpreter.ts";
import type { WorkerInit, WorkerMessage, WorkerTask } from "./protocol.ts";

const port = parentPort;
if (port === null) {
  throw new Error("this module runs in a worker thread only");
}
const init = workerData as WorkerInit;
const say = (message: WorkerMessage): void => port.postMessage(message);

/** Blocks this thread until the main thread has answered. */
function callHost(kind: string, payload: string): string {
  Atomics.store(init.signal, 0, 0);
  say({ type: "host-call", kind, payload });
  Atomics.wait(init.signal, 0, 0);
  const answer = receiveMessageOnPort(init.answers);
  if (answer === undefined) {
    throw new Error("the host gave no answer");
  }
  return answer.message as string;
}

const interpreter = await startInterpreter(init.snapshot, callHost, init.memoryBytes);

port.on("message", (task: WorkerTask) => {
  try {
    const answer =
      task.type === "schema"
        ? interpreter.schema(task.code)
        : interpreter.execute(task.request, task.code, task.state, task.calldata);
    say({ type: "done", answer, heapBytes: interpreter.heapBytes });
  } catch (error) {
    say({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
});
say({ type: "ready" });
