import { parentPort } from "node:worker_threads";
import { makeSnapshot } from "./interpreter.ts";

// Takes seconds of CPU, so it has a thread of its own.
parentPort?.postMessage(await makeSnapshot());
