/**
 * An operator in a process of its own that kills itself, as hard as can be, at one boundary: the name, at which passage,
 * and for how many milliseconds its claims outlive it on PostgreSQL.
 */
import { loadConfig, startOperator } from "../../../oracle/src/index.ts";
import { openPostgresStore } from "../../../oracle/src/store/index.ts";

const [boundary, passage, leaseMilliseconds] = [
  process.argv[2],
  Number(process.argv[3] ?? 1),
  Number(process.argv[4] ?? 1_000),
];
let passed = 0;

const config = loadConfig(process.env);
const operator = await startOperator(config, {
  ...(config.databaseUrl === null
    ? {}
    : { store: await openPostgresStore(config.databaseUrl.reveal(), { leaseMilliseconds }) }),
  boundary(name) {
    if (name === boundary && ++passed === passage) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`${JSON.stringify({ event: "listening", url: operator.url })}\n`);
