/** One worker of an operator in a process of its own. Given a boundary, it kills itself there, as hard as can be. */
import { loadConfig, startOperator } from "../../../oracle/src/index.ts";
import { openPostgresStore } from "../../../oracle/src/store/index.ts";

const [leaseMilliseconds, boundary, passage] = [
  Number(process.argv[2]),
  process.argv[3],
  Number(process.argv[4] ?? 1),
];
let passed = 0;

const config = loadConfig(process.env);
const operator = await startOperator(config, {
  store: await openPostgresStore(config.databaseUrl?.reveal() ?? "", { leaseMilliseconds }),
  boundary(name) {
    if (name === boundary && ++passed === passage) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`${JSON.stringify({ event: "listening", url: operator.url })}\n`);
