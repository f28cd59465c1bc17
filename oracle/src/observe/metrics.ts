import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { OperatorConfig } from "../config/index.ts";
import { STATE_NAMES, isOpen, type EventType, type StateName } from "../core/index.ts";
import type { ChainView } from "../ingest/ingest.ts";
import type { CallOutcome, ProviderState, RpcCall } from "../rpc/index.ts";
import type { Purpose, Store } from "../store/index.ts";
import type { Clock } from "./clock.ts";
import type { EventLoop } from "./event-loop.ts";

/** What must never happen; each is worth a person's look. */
export const INVARIANTS = [
  /** A final block changed. */
  "finality",
  /** A member, or this operator earlier, signed another digest for the submission. */
  "disagreement",
  /** The escrow was settled by a verdict that this operator does not hold. */
  "foreign_settlement",
  /** A chain, or a contract on it, is no longer the one of the start. */
  "identity",
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** The newest block of a chain, with its time in Unix seconds. */
export interface ChainHead {
  readonly number: number;
  readonly timestamp: number;
}

/** What the last look at the surroundings found; null where it could not be found out. */
export interface Surroundings {
  /** Wei of the account that delivers. */
  readonly submitterBalance: bigint | null;
  /** Base units of the account that pays on GenLayer. */
  readonly relayerBalance: bigint | null;
  /** Deliveries that the submitter's balance pays for at today's price. */
  readonly deliveriesLeft: number | null;
  /** Nonces that the journal holds beyond what the chain has used, by chain. */
  readonly nonceGap: Readonly<Record<"evm" | "genlayer", number | null>>;
  /** GenLayer's newest block; null where the network has no blocks to show. */
  readonly genLayerHead: ChainHead | null;
  /** Seconds by which this machine's clock is ahead of a chain's newest block; negative when it is behind. */
  readonly skew: Readonly<Record<"evm" | "genlayer", number | null>>;
  /** Peers that answer as the member that announced them. */
  readonly peersAnswering: number;
}

/** The operator's Prometheus metrics. Every label is an enumeration, or an index into the configuration. */
export interface Metrics {
  readonly contentType: string;
  /** The exposition, read now. */
  text(): Promise<string>;
  call(call: RpcCall): void;
  transition(from: StateName | null, to: StateName, reason: EventType): void;
  signedTransaction(purpose: Purpose): void;
  /** A member's valid signature over our digest, our own included. */
  attestation(member: string): void;
  violation(invariant: Invariant): void;
  surroundings(found: Surroundings): void;
}

/** JSON-RPC methods that have a label of their own. */
const METHODS: readonly string[] = [
  "eth_blockNumber",
  "eth_call",
  "eth_chainId",
  "eth_estimateGas",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByNumber",
  "eth_getCode",
  "eth_getLogs",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_maxPriorityFeePerGas",
  "eth_sendRawTransaction",
  "gen_call",
  "gen_getContractCode",
  "getTransaction",
  "sim_getTransactionsForAddress",
  "writeContract",
];
const RPC_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const OUTCOMES: readonly CallOutcome[] = ["answered", "refused", "limited", "failed"];

/** Makes the metrics of one operator, in a registry of their own. */
export function createMetrics(options: {
  readonly config: OperatorConfig;
  readonly store: Pick<Store, "countByState" | "oldestByState" | "documentBytes">;
  readonly clock: Clock;
  readonly eventLoop: EventLoop;
  view(): ChainView | null;
  haltReason(): string | null;
  providers(): readonly ProviderState[];
  /** Documents that wait to be mirrored. */
  mirrorWaiting(): number;
}): Metrics {
  const { config, store, clock } = options;
  const registry = new Registry();
  const registers = [registry];
  const members = config.members.addresses.map((address) => address.toLowerCase());

  const transitions = new Counter({
    name: "assay_transitions_total",
    help: "Changes of a submission's state; the reason is the event that moved it",
    labelNames: ["from", "to", "reason"],
    registers,
  });
  const rpcSeconds = new Histogram({
    name: "assay_rpc_seconds",
    help: "Calls to an endpoint, by its place in the configuration",
    labelNames: ["chain", "provider", "method", "outcome"],
    buckets: RPC_BUCKETS,
    registers,
  });
  const attempts = new Counter({
    name: "assay_transactions_signed_total",
    help: "Transactions signed and journalled, price bumps included",
    labelNames: ["purpose"],
    registers,
  });
  const signatures = new Counter({
    name: "assay_quorum_signatures_total",
    help: "Valid signatures over this operator's digests, by the member's place in the ascending set",
    labelNames: ["member"],
    registers,
  });
  const violations = new Counter({
    name: "assay_invariant_violations_total",
    help: "Things that must never happen",
    labelNames: ["invariant"],
    registers,
  });
  // A rate needs a value from before the first event.
  for (const invariant of INVARIANTS) violations.inc({ invariant }, 0);
  for (const member of members.keys()) signatures.inc({ member: String(member) }, 0);
  for (const purpose of ["relay", "settle"]) attempts.inc({ purpose }, 0);

  gauge("assay_submissions", "Submissions by state", ["state"], async (set) => {
    const counts = await store.countByState();
    for (const state of STATE_NAMES) set({ state }, counts.get(state) ?? 0);
  });
  gauge(
    "assay_oldest_age_seconds",
    "Time since the longest unmoved submission of a state last moved; open and parked states only",
    ["state"],
    async (set) => {
      const oldest = await store.oldestByState();
      for (const state of STATE_NAMES) {
        if (!isOpen(state) && state !== "QUARANTINED" && state !== "CONFLICT") continue;
        const at = oldest.get(state);
        set({ state }, at === undefined ? 0 : Math.max(0, (clock.now() - at) / 1_000));
      }
    },
  );
  let genLayerHead: ChainHead | null = null;
  gauge("assay_chain_block", "Newest block read", ["chain", "tag"], (set) => {
    if (genLayerHead !== null) set({ chain: "genlayer", tag: "latest" }, genLayerHead.number);
    const view = options.view();
    if (view === null) return;
    set({ chain: "evm", tag: "latest" }, view.latest.number);
    set({ chain: "evm", tag: "finalized" }, view.final.number);
  });
  gauge(
    "assay_chain_lag_blocks",
    "Blocks that are not read though announced (latest), and that are read but not final (finalized)",
    ["chain", "tag"],
    (set) => {
      const view = options.view();
      if (view === null) return;
      set({ chain: "evm", tag: "latest" }, Math.max(0, view.announced - view.latest.number));
      set({ chain: "evm", tag: "finalized" }, Math.max(0, view.latest.number - view.final.number));
    },
  );
  gauge(
    "assay_chain_lag_seconds",
    "Age of the newest block read, by this machine's clock",
    ["chain", "tag"],
    (set) => {
      const age = (timestamp: number) => clock.now() / 1_000 - timestamp;
      if (genLayerHead !== null) set({ chain: "genlayer", tag: "latest" }, age(genLayerHead.timestamp));
      const view = options.view();
      if (view === null) return;
      set({ chain: "evm", tag: "latest" }, age(view.latest.timestamp));
      set({ chain: "evm", tag: "finalized" }, age(view.final.timestamp));
    },
  );
  gauge(
    "assay_provider_up",
    "1 when an endpoint answers, for the right chain, in step with its fellows",
    ["chain", "provider"],
    (set) => {
      for (const state of options.providers())
        set(
          { chain: state.chain, provider: indexOf(state.chain, state.provider) },
          state.status === "alive" || state.status === "unknown" ? 1 : 0,
        );
    },
  );
  gauge("assay_halted", "1 while nothing may be signed", [], (set) => {
    set({}, options.haltReason() === null ? 0 : 1);
  });
  gauge("assay_documents_bytes", "Bytes of all stored documents", [], async (set) => {
    set({}, await store.documentBytes());
  });
  gauge("assay_documents_quota_bytes", "Most bytes of documents that are stored", [], (set) => {
    set({}, config.documents.quotaBytes);
  });
  gauge("assay_documents_mirror_waiting", "Documents that wait to be mirrored to IPFS", [], (set) => {
    set({}, options.mirrorWaiting());
  });
  gauge("assay_quorum_threshold", "Signatures that a certificate needs", [], (set) => {
    set({}, config.members.threshold);
  });
  gauge(
    "assay_event_loop_delay_seconds",
    "Longest delay of the event loop since the last scrape",
    [],
    (set) => {
      set({}, options.eventLoop.longest());
    },
  );
  gauge("assay_process_resident_bytes", "Memory of the process", [], (set) => {
    set({}, process.memoryUsage.rss());
  });

  const balance = plainGauge("assay_balance", "Base units that an account holds for gas", ["account"]);
  const deliveriesLeft = plainGauge(
    "assay_deliveries_left",
    "Deliveries that the submitter's balance pays for at today's price",
    [],
  );
  const nonceGap = plainGauge("assay_nonce_gap", "Nonces journalled beyond what the chain has used", [
    "chain",
  ]);
  const skew = plainGauge(
    "assay_clock_skew_seconds",
    "How far this machine's clock is ahead of a chain's newest block",
    ["chain"],
  );
  const peers = plainGauge(
    "assay_peers_answering",
    "Peers that answer as the member that announced them",
    [],
  );

  function plainGauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers });
  }

  /** A gauge that is read when it is asked for. */
  function gauge(
    name: string,
    help: string,
    labelNames: string[],
    read: (set: (labels: Record<string, string>, value: number) => void) => void | Promise<void>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        await read((labels, value) => {
          this.set(labels, value);
        });
      },
    });
  }

  /** Origins name places, so the configuration's order stands for them. */
  function indexOf(chain: RpcCall["chain"], origin: string): string {
    const endpoints = chain === "evm" ? config.evm.endpoints : config.genLayer.endpoints;
    const index = endpoints.findIndex((endpoint) => endpoint.origin === origin);
    return index < 0 ? "other" : String(index);
  }

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    call({ chain, provider, method, outcome, seconds }) {
      rpcSeconds.observe(
        {
          chain,
          provider: indexOf(chain, provider),
          method: METHODS.includes(method) ? method : "other",
          outcome: OUTCOMES.includes(outcome) ? outcome : "other",
        },
        seconds,
      );
    },
    transition(from, to, reason) {
      transitions.inc({ from: from ?? "none", to, reason });
    },
    signedTransaction(purpose) {
      attempts.inc({ purpose });
    },
    attestation(member) {
      const index = members.indexOf(member.toLowerCase());
      if (index >= 0) signatures.inc({ member: String(index) });
    },
    violation(invariant) {
      violations.inc({ invariant });
    },
    surroundings(found) {
      const show = (target: Gauge, labels: Record<string, string>, value: number | bigint | null) => {
        if (value === null) target.remove(labels);
        else target.set(labels, Number(value));
      };
      show(balance, { account: "submitter" }, found.submitterBalance);
      show(balance, { account: "relayer" }, found.relayerBalance);
      show(deliveriesLeft, {}, found.deliveriesLeft);
      peers.set(found.peersAnswering);
      genLayerHead = found.genLayerHead;
      for (const chain of ["evm", "genlayer"] as const) {
        show(nonceGap, { chain }, found.nonceGap[chain]);
        show(skew, { chain }, found.skew[chain]);
      }
    },
  };
}
