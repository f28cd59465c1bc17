/**
 * Measures the gas of every operation and prints it.
 *
 *     npm run gas                a table, beside the figures of comparable escrows
 *     npm run gas -- --json      one object, operation → gas, on standard output
 *     npm run gas -- --update    also writes the snapshot that a test compares
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureGas, OPERATIONS, type GasReport } from "../test/evm/support/measure-gas.ts";
import { deployWorld } from "../test/evm/support/world.ts";

/** Upper bounds that every change must keep. */
const BARS: Partial<GasReport> = {
  fundWithAuthorization: 130_000,
  fundWithApproval: 95_000,
  submit: 33_000,
  release1of1: 76_000,
  release3of5: 94_000,
  refund1of1: 78_000,
  batch50PerRelease: 45_000,
  life3of5: 257_000,
};

/**
 * Whole transactions of others that do the same step, as measured on the same token (docs/gas.md says how):
 * ERC-8183's reference, qntx/market-contract, circlefin/refund-protocol, base/commerce-payments v1.0.
 */
const PEERS: Partial<Record<keyof GasReport, string>> = {
  fundWithAuthorization: "commerce-payments 144,001",
  fundWithApproval: "ERC-8183 434,777 in 3 tx, qntx 370,058 in 3 tx, refund-protocol 165,506",
  submit: "ERC-8183 62,456, qntx 59,252",
  release1of1: "ERC-8183 79,879, qntx 72,235, commerce-payments 68,165: one trusted caller each",
  refund1of1: "ERC-8183 75,423, qntx 70,233, commerce-payments 65,696: one trusted caller each",
  life3of5: "ERC-8183 577,112, qntx 501,545: no consent, no quorum",
};

const { values } = parseArgs({
  options: { json: { type: "boolean" }, update: { type: "boolean" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log("Usage: npm run gas [-- --json] [-- --update]");
  process.exit(0);
}

const { report, unpacked } = await measureGas(await deployWorld());
if (values.update) {
  const snapshot = new URL("../test/evm/gas-snapshot.json", import.meta.url);
  writeFileSync(snapshot, `${JSON.stringify(report, undefined, 2)}\n`);
}
if (values.json) {
  console.log(JSON.stringify(report));
} else {
  const gas = (amount: number | undefined): string => (amount?.toLocaleString("en-US") ?? "").padStart(8);
  console.log("operation                   gas  at most   others");
  for (const name of OPERATIONS) {
    console.log(
      `${name.padEnd(22)} ${gas(report[name])} ${gas(BARS[name])}   ${PEERS[name] ?? ""}`.trimEnd(),
    );
  }
  console.log("\nwithout packing:");
  for (const [name, amount] of Object.entries(unpacked)) console.log(`${name.padEnd(22)} ${gas(amount)}`);
}
const exceeded = OPERATIONS.filter((name) => report[name] > (BARS[name] ?? Infinity));
if (exceeded.length > 0) {
  console.error(`over the bar: ${exceeded.join(", ")}`);
  process.exitCode = 1;
}
// The in-process chain would keep the process alive.
process.exit();
