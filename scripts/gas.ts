/**
 * Measures the gas of every operation and prints it.
 *
 *     npm run gas                a table, and beside it the figures of comparable escrows
 *     npm run gas -- --json      one object, operation → gas, on standard output
 *     npm run gas -- --update    also writes the snapshot that a test compares, and the tables of docs/gas.md
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { deployGate } from "../test/evm/support/execution.ts";
import { BARS } from "../test/evm/support/gas-bars.ts";
import { measureGas, OPERATIONS, type GasReport } from "../test/evm/support/measure-gas.ts";
import { measuredTable, peersTable, peersText, replacePart } from "./gas/tables.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean" }, update: { type: "boolean" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log("Usage: npm run gas [-- --json] [-- --update]");
  process.exit(0);
}

function update(report: GasReport): void {
  const snapshot = new URL("../test/evm/gas-snapshot.json", import.meta.url);
  writeFileSync(snapshot, `${JSON.stringify(report, undefined, 2)}\n`);
  const page = new URL("../docs/gas.md", import.meta.url);
  const measured = replacePart(readFileSync(page, "utf8"), "measured", measuredTable(report, BARS));
  writeFileSync(page, replacePart(measured, "peers", peersTable(report)));
}

function print(report: GasReport, unpacked: Record<string, number>): void {
  const gas = (amount: number | undefined): string => (amount?.toLocaleString("en-US") ?? "").padStart(8);
  console.log("operation                   gas  at most");
  for (const name of OPERATIONS) {
    console.log(`${name.padEnd(22)} ${gas(report[name])} ${gas(BARS[name])}`.trimEnd());
  }
  console.log("\nwithout packing:");
  for (const [name, amount] of Object.entries(unpacked)) console.log(`${name.padEnd(22)} ${gas(amount)}`);
  console.log(`\nbeside others (docs/gas.md says how each figure came about):\n${peersText(report)}`);
}

const { report, unpacked } = await measureGas(await deployGate());
if (values.update) update(report);
if (values.json) console.log(JSON.stringify(report));
else print(report, unpacked);

const exceeded = OPERATIONS.filter((name) => report[name] > (BARS[name] ?? Infinity));
if (exceeded.length > 0) {
  console.error(`over the bar: ${exceeded.join(", ")}`);
  process.exitCode = 1;
}
// The in-process chain would keep the process alive.
process.exit();
