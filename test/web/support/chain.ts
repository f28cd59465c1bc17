import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Contract } from "ethers";
import { agreementEscrowAbi, fiatTokenAbi, statusOfCode, type Address, type Hex } from "@assay/protocol";
import type { Stack } from "../../../scripts/local/stack.ts";

/** The agreement's status as the contract itself says. */
export async function statusOf({ venue }: Stack, agreementId: Hex): Promise<string> {
  const escrow = new Contract(venue.escrow, agreementEscrowAbi, venue.provider);
  const [status] = (await escrow.getFunction("stateOf")(agreementId)) as [bigint];
  return statusOfCode(status) ?? "unknown";
}

/** Waits until the contract says so. */
export async function untilStatus(stack: Stack, agreementId: Hex, expected: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  let found = "";
  while (performance.now() < deadline) {
    found = await statusOf(stack, agreementId);
    if (found === expected) return;
    await sleep(100);
  }
  expect(found, `status of ${agreementId}`).to.equal(expected);
}

/** Token base units that an account holds. */
export async function balanceOf({ venue }: Stack, account: string): Promise<bigint> {
  const token = new Contract(venue.token, fiatTokenAbi, venue.provider);
  return (await token.getFunction("balanceOf")(account)) as bigint;
}

/** Takes the operators' money for gas on the escrow's chain, so that they sign verdicts and deliver none. */
export async function impoverishOperators({ cast, venue }: Stack): Promise<() => Promise<void>> {
  const set = (balance: string): Promise<unknown> =>
    Promise.all(
      cast.operators.map(({ submitter }) =>
        venue.provider.send("anvil_setBalance", [submitter.address, balance]),
      ),
    );
  await set("0x0");
  return async () => {
    await set("0x21e19e0c9bab2400000");
  };
}

/** The token's issuer blocks an account, or lets it go. */
export async function block({ token }: Stack, account: Address, isBlocked: boolean): Promise<void> {
  await (isBlocked ? token.blacklist(account) : token.unBlacklist(account));
}
