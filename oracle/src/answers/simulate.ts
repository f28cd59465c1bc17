import { explainRevert } from "@assay/protocol";
import { RpcResponseError, type EvmChain } from "../rpc/index.ts";
import type { SendStep } from "../prepare/index.ts";
import type { Gate } from "./gate.ts";
import type { Simulation } from "./schemas/prepare.ts";

/** Milliseconds that a caller waits for a simulation before it is left out. */
const TIMEOUT_MILLISECONDS = 4_000;

/**
 * What sending a transaction now would lead to. Never throws: an endpoint that is down or busy makes a preparation
 * less informative, not impossible.
 */
export async function simulate(chain: EvmChain, gate: Gate, step: SendStep): Promise<Simulation> {
  if (step.dependsOnPrevious) return unknown("It depends on the step before; send that first.");
  try {
    const answer = await gate.pass(() => within(TIMEOUT_MILLISECONDS, call(chain, step)));
    return answer ?? unknown("The operator is busy; simulate with your own node.");
  } catch {
    return unknown("The chain could not be asked; simulate with your own node.");
  }
}

async function call(chain: EvmChain, { from, to, data }: SendStep): Promise<Simulation> {
  try {
    await chain.call({ ...(from === null ? {} : { from }), to, data });
    return {
      result: "succeeds",
      error: null,
      message: "In the latest block the call would succeed.",
      hint: null,
    };
  } catch (error) {
    // Without revert data it is the endpoint that refused, not the contract.
    if (!(error instanceof RpcResponseError) || (error.data === null && !/revert/i.test(error.message)))
      throw error;
    const { name, message, hint } = explainRevert(error.data ?? "0x");
    return { result: "reverts", error: name, message, hint };
  }
}

function unknown(message: string): Simulation {
  return { result: "unknown", error: null, message, hint: null };
}

/** Rejects when `work` takes too long; what it then still does is of no interest. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error("took too long"));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
