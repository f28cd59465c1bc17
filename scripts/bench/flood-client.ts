// Asks a server for things at an even pace until it is disconnected, and then tells what the answers' statuses were.
import { Agent, request } from "node:http";

/** The load comes from this many addresses, as a proxy in front would name them. */
const CLIENTS = 50;
/** Requests without an answer at the same time; beyond that the pace slips instead of the memory. */
const MOST_OPEN = 512;

const [url, rate] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url ?? "");
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const statuses: Record<string, number> = {};
let open = 0;

function ask(index: number): void {
  open++;
  const done = (status: string): void => {
    open--;
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const headers = { "x-forwarded-for": `198.51.100.${index % CLIENTS}` };
  const sent = request({ hostname, port, path: pathname, agent, headers }, (response) => {
    response.resume();
    response.on("end", () => {
      done(String(response.statusCode));
    });
  });
  sent.on("error", () => {
    done("failed");
  });
  sent.end();
}

const startedAt = performance.now();
let asked = 0;
const timer = setInterval(() => {
  const due = ((performance.now() - startedAt) / 1_000) * Number(rate);
  while (asked < due && open < MOST_OPEN) ask(asked++);
}, 5);
process.on("message", () => {
  clearInterval(timer);
  process.send?.({ statuses, seconds: (performance.now() - startedAt) / 1_000 }, () => process.exit(0));
});
