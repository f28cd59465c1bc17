/** The service alone: runs for some seconds, and prints the most memory that it had, in MiB. */
import { createJsonRpc } from "../../../oracle/src/rpc/index.ts";
import { Endpoint } from "../../../oracle/src/index.ts";
import { MockJudge } from "./mock-judge.ts";
import { KEYS, RELAYER, startBenchOperator } from "./world.ts";

const [url = "", dataDir = "", seconds = "20"] = process.argv.slice(2);
const operator = await startBenchOperator({
  dataDir,
  pollMilliseconds: 500,
  rpc: createJsonRpc(new Endpoint(new URL(url))),
  judge: new MockJudge(RELAYER, KEYS.relayer, () => 0),
});
let most = 0;
const look = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 100);
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
clearInterval(look);
await operator.stop();
process.stdout.write(String(most / 1_048_576));
process.exit(0);
