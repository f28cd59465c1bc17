import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Contract, type Wallet } from "ethers";
import {
  agreementEscrowAbi,
  fiatTokenAbi,
  fundingAuthorizationTypedData,
  newSalt,
  statusOfCode,
  toTermsStruct,
  type Address,
  type Agreement,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { loadExample } from "../../../examples/index.ts";
import { drawUp, publish, type Deal } from "../../../scripts/local/parties.ts";
import type { Stack } from "../../../scripts/local/stack.ts";
import { BLOCK_SECONDS } from "./world.ts";

const DAY = 86_400;

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
export async function block({ token }: Stack, account: string, isBlocked: boolean): Promise<void> {
  await (isBlocked ? token.blacklist(account) : token.unBlacklist(account));
}

/** Sends a call of the escrow's that takes the terms first, and waits for its block. */
export async function send(
  { venue }: Stack,
  wallet: Wallet,
  method: string,
  terms: Terms,
  ...rest: readonly unknown[]
): Promise<void> {
  const escrow = new Contract(venue.escrow, agreementEscrowAbi, wallet);
  const transaction = (await escrow.getFunction(method)(toTermsStruct(terms), ...rest)) as {
    wait(): Promise<unknown>;
  };
  await transaction.wait();
}

/** An agreement that is funded and that the seller has not accepted; `over` changes the example's document. */
export async function fundedDeal(
  stack: Stack,
  over: Partial<Agreement> = {},
  seller: string = stack.cast.seller.address,
): Promise<Deal> {
  const { cast, venue, token } = stack;
  const deal = await drawUp(
    venue,
    { ...loadExample("password-reset/strict").agreement, ...over },
    {
      buyer: cast.buyer.address as Address,
      seller: seller as Address,
      reward: 1_000_000n,
      deliverWithin: DAY,
      adjudicateWithin: DAY,
      noVerdictSellerBps: 5_000,
      salt: newSalt(),
    },
  );
  await publish(stack.operators[0]?.url ?? "", deal.document);
  const { domain, types, message } = fundingAuthorizationTypedData({
    terms: deal.terms,
    agreementId: deal.agreementId,
    escrow: venue.escrow,
    token: { name: "USD Coin", version: "2", chainId: venue.chainId, address: token.address },
    validAfter: 0n,
    validBefore: deal.terms.deliverBy,
  });
  const signature = await cast.buyer.signTypedData(domain, types, message);
  await send(
    stack,
    cast.relayer,
    "fundWithAuthorization",
    deal.terms,
    0n,
    deal.terms.deliverBy,
    signature,
    "0x",
  );
  return deal;
}

/** Makes blocks since a test stopped the node's own clock for them, which takes whole seconds only. */
let ticking: ReturnType<typeof setInterval> | undefined;

/** Blocks under a test's own hand. */
export interface Mining {
  mine(): Promise<void>;
  /** Drops the newest block together with what was in it. */
  reorg(): Promise<void>;
  /** Blocks come by themselves again. */
  resume(): Promise<void>;
}

/** Stops blocks from coming by themselves. */
export async function pauseMining({ venue: { provider } }: Stack): Promise<Mining> {
  clearInterval(ticking);
  await provider.send("evm_setIntervalMining", [0]);
  const mine = async (): Promise<void> => {
    await provider.send("evm_mine", []);
  };
  return {
    mine,
    reorg: async () => {
      await provider.send("anvil_reorg", [1, []]);
    },
    resume() {
      ticking = setInterval(() => void mine().catch(() => undefined), BLOCK_SECONDS * 1_000);
      ticking.unref();
      return mine();
    },
  };
}

/** Moves the chain's clock; every later block is at least that much later. */
export async function passTime({ venue: { provider } }: Stack, seconds: number): Promise<void> {
  await provider.send("evm_increaseTime", [seconds]);
  await provider.send("evm_mine", []);
}

/** Calls one of the GenLayer network's fault controls. */
export async function control({ genlayer }: Stack, method: string, ...params: unknown[]): Promise<void> {
  const response = await fetch(genlayer.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: `localnet_${method}`, params }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  if (error) throw new Error(`localnet_${method}: ${error.message}`);
}
