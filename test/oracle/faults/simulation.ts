import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adjudicatorConfigOf, documentHash, type Address, type Hex, type Verdict } from "@assay/protocol";
import { keysOf, memberOf, relayerOf, signedBy } from "../support/operators.ts";
import { CHAIN_ID, ESCROW, QUORUM, SimEvm } from "../support/sim-evm.ts";
import { SimGenLayer } from "../support/sim-genlayer.ts";
import { COMMERCE, EVALUATOR, SimJobs } from "../support/sim-jobs.ts";
import { hash } from "../support/states.ts";
import type { Deal } from "./deals.ts";
import { FaultyEndpoints, failure, json } from "./network.ts";
import { isOpen, isSettled, moves, plannedOutcomes, type SimulatedDeal } from "./outcomes.ts";
import { strike, strikeJointly, type Market } from "./parties.ts";
import { leavesDoubt, type FaultPlan } from "./plan.ts";
import { OperatorProcess } from "./process.ts";
import { VirtualTime, type Owner } from "./virtual-time.ts";

/** Where files cost no disk, if there is such a place. What a process writes there outlives it just as well. */
const MEMORY = "/dev/shm";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** When every world begins, by its own clock. */
const START = 1_800_000_000_000;
/** Seconds that a submission's document may stay away; longer than any trouble lasts. */
const DOCUMENT_WINDOW_SECONDS = 9 * 60;
/** Time after the trouble within which everything that can be settled has to be. */
const GRACE = 12 * MINUTE;
/** The same where the clocks may have to decide anyway. */
const GRACE_IN_DOUBT = 3 * MINUTE;
/** What the HTTP server tells its handlers about who calls. */
const CALLER = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
/** How long the operators have to notice that a window has closed. */
const AFTERMATH = 3 * MINUTE;

/** Members that have to sign. */
export const THRESHOLD = 2;

/** A certificate in an operator's sign-once table. */
export interface SimulatedSignature {
  readonly operator: number;
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  readonly digest: Hex;
  readonly outcome: number;
  /** Whether the operator had halted itself before. */
  readonly whileHalted: boolean;
}

/** Everything that a world is judged by when it is over. */
export interface Ending {
  readonly plan: FaultPlan;
  readonly evm: SimEvm;
  readonly genLayer: SimGenLayer;
  readonly deals: readonly SimulatedDeal[];
  readonly signatures: readonly SimulatedSignature[];
  /** Names of the states that each operator's submissions are in. */
  readonly states: ReadonlyMap<string, string>;
  readonly relayers: readonly string[];
  readonly starts: number;
  readonly log: readonly string[];
}

/** Runs one seed's world from its first block until everything in it is decided. */
export async function simulate(plan: FaultPlan, logLevel = "silent"): Promise<Ending> {
  const world = new SimulatedWorld(plan, logLevel);
  try {
    return await world.run();
  } finally {
    await world.end();
  }
}

class SimulatedWorld {
  readonly #plan: FaultPlan;
  readonly #evm: SimEvm;
  readonly #genLayer = new SimGenLayer();
  readonly #time: VirtualTime;
  readonly #endpoints: FaultyEndpoints;
  readonly #processes: readonly OperatorProcess[];
  readonly #deals: SimulatedDeal[] = [];
  #struck = 0;
  readonly #signatures: SimulatedSignature[] = [];
  readonly #log: string[] = [];
  readonly #folder: string;
  readonly #members: readonly Address[];

  constructor(plan: FaultPlan, logLevel: string) {
    this.#plan = plan;
    const { draws } = plan;
    let randoms = 0;
    this.#time = new VirtualTime(
      START,
      () => draws.chance("random", randoms++),
      (url, init, from) => this.#fetch(url, init, from),
    );
    this.#evm = new SimEvm(START / 1_000 - 60);
    this.#evm.finalityDepth = plan.finalityDepth;
    this.#evm.mine(plan.finalityDepth);
    this.#genLayer.millisecondsPerLook = plan.genLayer.millisecondsPerLook;
    const carried = plan.deals.flatMap((deal) => (deal.kind === "joint" ? deal.carried : []));
    this.#genLayer.planOf = (about, nth, method) => {
      const judged = this.#deals.find(({ subject }) => subject === about)?.judged ?? [];
      const plans = method === "submit_output_signed" ? carried : judged;
      return plans[Math.min(nth, plans.length - 1)] ?? "PASS";
    };
    this.#endpoints = new FaultyEndpoints(plan, this.#time, { evm: this.#evm, genLayer: this.#genLayer });
    this.#folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "assay-faults-"));
    const indices = Array.from({ length: plan.operators }, (_none, index) => index);
    this.#members = indices.map(memberOf).sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
    if (plan.deals.some(({ kind }) => kind === "job"))
      this.#evm.jobs = new SimJobs(CHAIN_ID, adjudicatorConfigOf(this.#members, THRESHOLD));
    this.#processes = indices.map(
      (index) =>
        new OperatorProcess({
          index,
          plan,
          time: this.#time,
          env: this.#environment(index, logLevel),
          clock: () => this.#time.now + this.#skew(index),
          witness: {
            isCalm: () => this.#endpoints.isCalm(),
            log: (operator, line) => {
              if (line.includes("Halted all signing")) this.#processes[operator]!.halted = true;
              if (logLevel !== "silent") this.#log.push(`${this.#clockText()} op${operator} ${line}`);
            },
            signed: (operator, { key, digest, verdict }) => {
              const { outcome } = JSON.parse(verdict) as Verdict;
              const whileHalted = this.#processes[operator]!.halted;
              this.#signatures.push({ operator, ...key, digest, outcome, whileHalted });
            },
          },
        }),
    );
  }

  async run(): Promise<Ending> {
    const { plan } = this;
    this.#schedule();
    for (const process of this.#processes) if (!this.#isLiar(process.index)) process.start();
    const longest =
      plan.calmAt +
      (leavesDoubt(plan) ? GRACE_IN_DOUBT : GRACE) +
      (plan.deals.some(isDocumentAway) ? DOCUMENT_WINDOW_SECONDS * SECOND : 0);
    await this.#until(longest);
    await this.#closeWindows();
    return {
      plan,
      evm: this.#evm,
      genLayer: this.#genLayer,
      deals: this.#deals,
      signatures: this.#signatures,
      states: await this.#states(),
      relayers: this.#processes.map(({ index }) => relayerOf(index)),
      starts: this.#processes.reduce((sum, { lives }) => sum + lives, 0),
      log: this.#log,
    };
  }

  async end(): Promise<void> {
    for (const process of this.#processes) process.end();
    await this.#time.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #clockText(): string {
    return `${((this.#time.now - START) / SECOND).toFixed(1)}s`;
  }

  #isLiar(index: number): boolean {
    return this.#plan.liar !== null && index === this.#plan.operators - 1;
  }

  /** Lets time pass until nothing is open any more, at the longest until `end` after the start. */
  async #until(end: number): Promise<void> {
    let isOver = false;
    const look = async () => {
      const elapsed = this.#time.now - START;
      isOver = elapsed >= end || (elapsed >= this.#plan.calmAt && (await this.#isDecided()));
      if (!isOver) this.#time.at(this.#time.now + 10 * SECOND, () => void look());
    };
    this.#time.at(this.#time.now + 10 * SECOND, () => void look());
    await this.#time.run(() => isOver);
  }

  /** Whether the chain has closed all that will ever be closed by a verdict, and every operator knows. */
  async #isDecided(): Promise<boolean> {
    if (this.#struck < this.#plan.deals.length) return false;
    const open = this.#deals.filter((deal) => isOpen(this.#evm, deal));
    const hopeless = open.filter((deal) => this.#isHopeless(deal));
    if (hopeless.length < open.length) return false;
    return [...(await this.#states())].every(
      ([name, state]) =>
        OVER.includes(state) || hopeless.some(({ agreementId }) => name.includes(agreementId)),
    );
  }

  /** Whether only the clocks can end it any more. */
  #isHopeless(deal: SimulatedDeal): boolean {
    if (plannedOutcomes(deal).every((code) => !moves(deal, code))) return true;
    const { agreementId, concededId } = deal;
    if (concededId === null || concededId === agreementId) return false;
    const partner = this.#deals.find((other) => other.agreementId === concededId);
    if (partner === undefined || isOpen(this.#evm, partner) || isSettled(this.#evm, concededId)) return false;
    const signers = this.#signatures.filter((signature) => signature.agreementId === agreementId);
    return new Set(signers.map(({ operator }) => operator)).size < THRESHOLD;
  }

  async #states(): Promise<Map<string, string>> {
    const states = new Map<string, string>();
    for (const { index, store } of this.#processes)
      for (const { agreementId } of store === null ? [] : this.#deals)
        for (const { state, lastError } of await store!.submissionsOf(agreementId)) {
          const name = `op${index} ${agreementId} ${state.submissionHash}`;
          states.set(name, state.name);
          if (!OVER.includes(state.name))
            this.#log.push(`${name} ${state.name}: ${lastError ?? state.reason ?? ""}`);
        }
    // A process that is down has not had its say yet.
    for (const process of this.#processes)
      if (!this.#isLiar(process.index) && process.store === null) states.set(`op${process.index}`, "DOWN");
    return states;
  }

  /** What nobody settled is closed by the clock: a block after the last second for a verdict, then `expire`. */
  async #closeWindows(): Promise<void> {
    const open = this.#deals.filter((deal) => isOpen(this.#evm, deal));
    if (open.length === 0) return;
    this.#evm.mine(1, 4 * 3_600);
    this.#evm.mine(this.#plan.finalityDepth + 1);
    await this.#wait(AFTERMATH / 2);
    for (const deal of open.filter((one) => isOpen(this.#evm, one)))
      if (deal.kind === "job") this.#evm.endJob(deal.agreementId, "JobExpired", COMMERCE);
      else this.#evm.close(deal.agreementId, "Expired");
    this.#evm.mine(this.#plan.finalityDepth + 2);
    await this.#wait(AFTERMATH);
  }

  async #wait(milliseconds: number): Promise<void> {
    let isOver = false;
    this.#time.at(this.#time.now + milliseconds, () => {
      isOver = true;
    });
    await this.#time.run(() => isOver);
  }

  #skew(index: number): number {
    const elapsed = this.#time.now - START;
    return this.#plan.clocks
      .filter(({ operator, from, to }) => operator === index && elapsed >= from && elapsed < to)
      .reduce((sum, { by }) => sum + by, 0);
  }

  #schedule(): void {
    const { plan } = this;
    const at = (elapsed: number, run: () => void) => {
      this.#time.at(START + elapsed, run);
    };
    const mine = () => {
      this.#evm.baseFee = this.#endpoints.during(plan.feeSpike) ? 5_000_000_000n : 1_000_000_000n;
      const now = Math.floor(this.#time.now / SECOND);
      this.#evm.mine(1, Math.max(1, now - this.#evm.latest.timestamp));
      this.#time.at(this.#time.now + plan.blockMilliseconds, mine);
    };
    at(0, mine);
    plan.deals.forEach((deal, nth) => {
      at(deal.at, () => {
        if (deal.kind !== "joint") this.#keep([strike(this.#market, deal, nth)]);
        else void strikeJointly(this.#market, deal, nth).then((sides) => this.#keep(sides));
      });
    });
    for (const kill of plan.kills)
      at(kill.at, () => {
        this.#processes[kill.operator]?.kill();
      });
    for (const { at: when, depth } of plan.reorgs)
      at(when, () => {
        this.#reorg(depth);
      });
    if (plan.deepReorgAt !== null)
      at(plan.deepReorgAt, () => {
        this.#reorg(plan.finalityDepth + 4);
      });
    if (plan.genLayer.resetAt !== null)
      at(plan.genLayer.resetAt, () => {
        this.#genLayer.reset();
      });
    for (const when of plan.mempoolDrops)
      at(when, () => {
        this.#evm.dropMempool();
      });
    for (const burn of plan.burns)
      at(burn.at, () => {
        this.#evm.burnNonce(keysOf(burn.operator).addresses.submitter);
      });
  }

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** The chain replaces its newest blocks by more of them; what was in them waits for the next. */
  #reorg(depth: number): void {
    const possible = Math.min(depth, this.#evm.latest.number - 2);
    this.#evm.reorg(possible, true);
    for (let block = 0; block <= possible; block++) this.#evm.mine(1, 1);
  }

  #keep(struck: readonly SimulatedDeal[]): void {
    this.#struck++;
    this.#deals.push(...struck);
  }

  get #market(): Market {
    return {
      evm: this.#evm,
      genLayer: this.#genLayer,
      members: this.#members,
      threshold: THRESHOLD,
      relayers: this.#processes.map(({ index }) => relayerOf(index)),
      hand: (operators, documents) => {
        for (const operator of operators) for (const bytes of documents) void this.#hand(operator, bytes);
      },
      later: (milliseconds, act) => {
        if (milliseconds <= 0) act();
        else this.#time.at(this.#time.now + milliseconds, act);
      },
    };
  }

  /** Offers a document until the operator has taken it. */
  async #hand(operator: number, bytes: Uint8Array): Promise<void> {
    if (this.#isLiar(operator)) return;
    const url = new URL(`http://op${operator}.sim/v1/documents/${documentHash(bytes)}`);
    for (;;) {
      const answer = await this.#serve(operator, url, { method: "PUT", body: Buffer.from(bytes) });
      if (answer?.ok === true) return;
      await this.#time.sleep(3 * SECOND);
    }
  }

  /** What an operator answers; null when it is down. A request that it dies over is never answered. */
  async #serve(operator: number, url: URL, init?: RequestInit): Promise<Response | null> {
    const process = this.#processes[operator];
    const { app, life } = process ?? { app: null, life: null };
    if (app === null || life === null) return null;
    const answer = await this.#time.as(life, () =>
      Promise.race([
        Promise.resolve(app.fetch(new Request(url, init as never), CALLER)),
        this.#time.sleep(4 * SECOND).then(() => null),
      ]),
    );
    return life.alive ? answer : null;
  }

  /** Where every request of every operator goes. */
  async #fetch(url: URL, init: RequestInit | undefined, from: Owner | null): Promise<Response> {
    if (hasEnded(from)) return this.#time.unanswered();
    const [kind = "", rest = ""] = url.hostname.split(/[-.]/);
    const body = typeof init?.body === "string" ? init.body : "";
    const answer = await (kind === "evm"
      ? this.#endpoints.evm(url.hostname, Number(rest), body)
      : kind === "genlayer"
        ? this.#endpoints.genLayer(url.hostname, body)
        : this.#peer(url, from));
    // It may have died while it waited.
    return hasEnded(from) ? this.#time.unanswered() : answer;
  }

  async #peer(url: URL, from: Owner | null): Promise<Response> {
    const target = Number(url.hostname.slice(2, 3));
    const source = Number(from?.name.split(" ")[1]?.replace(",", ""));
    const faulty = await this.#endpoints.transport(
      this.#plan.peers,
      url.hostname,
      `${source} ${url.pathname}`,
    );
    if (faulty !== null) return faulty;
    const { partition } = this.#plan;
    if (
      partition !== null &&
      this.#endpoints.during(partition) &&
      [target, source].includes(partition.operator)
    )
      throw new TypeError("fetch failed");
    if (this.#isLiar(target)) return this.#lie(url, source);
    const answer = await this.#serve(target, url);
    if (answer === null) throw new TypeError("fetch failed");
    return answer;
  }

  /** The liar publishes its own version of whatever the asker has signed itself. */
  async #lie(url: URL, source: number): Promise<Response> {
    const path = /^\/v1\/attestations\/(0x[0-9a-f]{64})$/.exec(url.pathname);
    if (path === null) return failure(404, "{}");
    const truth = await this.#serve(source, url);
    if (truth === null || !truth.ok) return failure(404, "{}");
    const { verdict, quorum } = (await truth.json()) as { verdict: Verdict; quorum: { address: Address } };
    const liar = this.#plan.operators - 1;
    if (this.#plan.liar === "garbage") return json({ operator: "nobody" });
    if (this.#plan.liar === "foreign signature")
      return json({ ...(await signedBy(7, verdict, quorum.address)), operator: memberOf(liar) });
    const other = { ...verdict, outcome: verdict.outcome === 1 ? 2 : 1, verdictHash: hash(0x13) };
    return json(await signedBy(liar, other, quorum.address));
  }

  #environment(index: number, logLevel: string): Record<string, string> {
    const { privateKeys } = keysOf(index);
    const { plan } = this;
    return {
      ASSAY_EVM_RPC_URL: Array.from(
        { length: plan.endpoints },
        (_none, endpoint) => `http://evm-${endpoint}.op${index}.sim/key`,
      ).join(),
      ASSAY_EVM_CHAIN_ID: String(CHAIN_ID),
      ASSAY_ESCROW: ESCROW,
      ASSAY_QUORUM: QUORUM,
      ASSAY_QUORUM_MEMBERS: this.#members.join(),
      ASSAY_QUORUM_THRESHOLD: String(THRESHOLD),
      ASSAY_EVM_BUMP_SECONDS: "30",
      ASSAY_EVM_MAX_FEE_GWEI: "4",
      ASSAY_GENLAYER_RPC_URL: ["genlayer", "genlayer-1"]
        .slice(0, plan.genLayer.endpoints)
        .map((endpoint) => `http://${endpoint}.op${index}.sim/key`)
        .join(),
      ASSAY_GENLAYER_NETWORK: "localnet",
      ASSAY_ALLOW_ENV_KEYS: "1",
      ASSAY_ATTESTER_KEY: privateKeys.attester,
      ASSAY_SUBMITTER_KEY: privateKeys.submitter,
      ASSAY_RELAYER_KEY: privateKeys.relayer,
      ASSAY_PEERS: this.#others(index),
      ASSAY_RANK_SECONDS: "20",
      ASSAY_DATA_DIR: join(this.#folder, String(index)),
      ASSAY_POLL_MILLISECONDS: String(plan.pollMilliseconds),
      ASSAY_LOG_LEVEL: logLevel,
      ASSAY_DOCUMENT_WINDOW_SECONDS: String(DOCUMENT_WINDOW_SECONDS),
      ...(this.#evm.jobs === null
        ? {}
        : { ASSAY_ERC8183_CONTRACTS: COMMERCE, ASSAY_ERC8183_EVALUATOR: EVALUATOR }),
    };
  }

  #others(index: number): string {
    return Array.from({ length: this.#plan.operators }, (_none, other) => other)
      .filter((other) => other !== index)
      .map((other) => `http://op${other}.sim`)
      .join();
  }
}

/** States in which an operator waits for nothing but a person. */
export const OVER: readonly string[] = ["SETTLED", "EXPIRED", "ORPHANED", "QUARANTINED", "CONFLICT"];

/** Whether a submission's document never appears. */
function isDocumentAway(deal: Deal): boolean {
  return deal.kind === "joint" ? deal.breach?.by === "no document" : deal.withheld;
}

function hasEnded(process: Owner | null): boolean {
  return process?.alive === false;
}
