// The server of the API's benchmark: fills a store, serves the real API on it, and tells how late its event loop was.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createAppForBench } from "./api-app.ts";

const [folder, agreements] = process.argv.slice(2);
const delay = monitorEventLoopDelay({ resolution: 5 });
const server = await createAppForBench(folder ?? ".", Number(agreements));
delay.enable();
process.on("message", () => {
  process.send?.(Math.round(delay.max / 1e6));
  delay.reset();
});
process.on("disconnect", () => {
  void server.close().then(() => process.exit(0));
});
process.send?.({ url: server.url, paths: server.paths });
