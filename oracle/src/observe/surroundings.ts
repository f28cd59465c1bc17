import type { Peers } from "../attest/peers.ts";
import type { OperatorConfig } from "../config/index.ts";
import type { Judge } from "../judge/judge.ts";
import type { EvmChain, JsonRpc, ProviderState } from "../rpc/index.ts";
import type { Store } from "../store/index.ts";
import type { ChainView } from "../ingest/ingest.ts";
import type { Clock } from "./clock.ts";
import type { Component, Health } from "./health.ts";
import {
  daysLeft,
  judgeBalance,
  judgeClock,
  judgeDocuments,
  judgePeers,
  judgeProviders,
  judgeQuorum,
  type BalanceSample,
  type Judgement,
} from "./judgements.ts";
import { errorText } from "./logger.ts";
import type { ChainHead, Metrics } from "./metrics.ts";

/** Gas that a delivery takes at most, for the forecast. */
const GAS_OF_A_DELIVERY = 300_000n;
/** Balances kept for the forecast: one a minute, for a day. */
const MAX_SAMPLES = 1_440;

/** Looks at what surrounds the work. */
export interface Watchman {
  /** Reports on everything that has to be asked for. Never rejects, except when the store fails. */
  look(): Promise<void>;
  /** A block that has just appeared at the chain's head tells what time it is there. */
  sawHead(view: ChainView): void;
}

export function createWatchman(options: {
  readonly config: OperatorConfig;
  readonly store: Store;
  readonly chain: EvmChain;
  readonly judge: Judge;
  /** The first GenLayer endpoint, for what is not the judge's. */
  readonly genLayer: JsonRpc;
  readonly relayChain: string;
  readonly settleChain: string;
  readonly peers: Peers;
  readonly clock: Clock;
  readonly health: Health;
  readonly metrics: Metrics;
  providers(): readonly ProviderState[];
}): Watchman {
  const { config, store, chain, judge, genLayer, peers, clock, health, metrics } = options;
  const { submitter, relayer } = config.keys;
  const samples: BalanceSample[] = [];
  const skew: Record<"evm" | "genlayer", number | null> = { evm: null, genlayer: null };
  let lastHead = -1;

  function report(component: Component, { status, detail }: Judgement): void {
    health.report(component, status, detail);
  }

  async function lookAtGenLayer(): Promise<void> {
    try {
      await judge.verifyIdentity();
      health.report("genlayer", "healthy", `${judge.network.name} answers`);
    } catch (error) {
      health.report("genlayer", "unhealthy", errorText(error));
    }
  }

  async function lookAtBalance(): Promise<{
    readonly balance: bigint | null;
    readonly deliveries: number | null;
  }> {
    try {
      const balance = await chain.balance(submitter.address);
      const fees = await known(chain.fees());
      const deliveries =
        fees === null || fees.maxFeePerGas === 0n
          ? null
          : Number(balance / (fees.maxFeePerGas * GAS_OF_A_DELIVERY));
      samples.push({ at: clock.now(), balance });
      if (samples.length > MAX_SAMPLES) samples.shift();
      report("balance", judgeBalance(balance, deliveries, daysLeft(samples)));
      return { balance, deliveries };
    } catch (error) {
      health.report("balance", "degraded", errorText(error));
      return { balance: null, deliveries: null };
    }
  }

  /** Null where the network has no blocks to show. */
  async function readGenLayerHead(): Promise<ChainHead | null> {
    const block = await known(genLayer.send("eth_getBlockByNumber", ["latest", false]));
    if (typeof block !== "object" || block === null || !("timestamp" in block) || !("number" in block))
      return null;
    const head = { number: Number(block.number), timestamp: Number(block.timestamp) };
    return Number.isFinite(head.number) && Number.isFinite(head.timestamp) ? head : null;
  }

  async function nonceGap(
    used: Promise<number>,
    name: string,
    signer: typeof submitter.address,
  ): Promise<number | null> {
    const [next, highest] = [await known(used), await store.highestNonce(name, signer)];
    return next === null ? null : highest === null ? 0 : Math.max(0, highest + 1 - next);
  }

  return {
    async look() {
      report("quorum", judgeQuorum(config.members.threshold, config.members.addresses.length));
      report("documents", judgeDocuments(await store.documentBytes(), config.documents.quotaBytes));
      const [money, relayerBalance, genLayerHead, gaps, states] = await Promise.all([
        lookAtBalance(),
        known(
          genLayer.send("eth_getBalance", [relayer.address, "latest"]).then((value) => BigInt(String(value))),
        ),
        readGenLayerHead(),
        Promise.all([
          nonceGap(chain.nonce(submitter.address), options.settleChain, submitter.address),
          nonceGap(judge.nonce(), options.relayChain, relayer.address),
        ]),
        peers.check(),
        lookAtGenLayer(),
      ]);
      // A network without traffic makes no blocks, so an old one proves nothing; only one from our future does.
      skew.genlayer =
        genLayerHead === null ? null : Math.min(0, clock.now() / 1_000 - genLayerHead.timestamp);
      report("clock", judgeClock(skew));
      report("peers", judgePeers(states, config.members.threshold));
      report("providers", judgeProviders(options.providers()));
      metrics.surroundings({
        submitterBalance: money.balance,
        relayerBalance,
        deliveriesLeft: money.deliveries,
        nonceGap: { evm: gaps[0], genlayer: gaps[1] },
        genLayerHead,
        skew: { ...skew },
        peersAnswering: states.filter(({ status }) => status === "answers").length,
      });
    },

    sawHead(view) {
      const { number, timestamp } = view.latest;
      const isFresh = number > lastHead && lastHead >= 0 && view.announced === number;
      lastHead = number;
      if (!isFresh) return;
      skew.evm = clock.now() / 1_000 - timestamp;
      report("clock", judgeClock(skew));
    },
  };
}

/** Null when it can't be found out now. */
function known<T>(question: Promise<T>): Promise<T | null> {
  return question.catch(() => null);
}
