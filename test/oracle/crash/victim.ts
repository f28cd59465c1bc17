/** An operator in a process of its own that kills itself, as hard as can be, at one boundary. */
import { loadConfig, startOperator } from "../../../oracle/src/index.ts";

const [boundary, passage] = [process.argv[2], Number(process.argv[3] ?? 1)];
let passed = 0;

const operator = await startOperator(loadConfig(process.env), {
  boundary(name) {
    if (name === boundary && ++passed === passage) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`${JSON.stringify({ event: "listening", url: operator.url })}\n`);
