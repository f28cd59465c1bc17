import { expect } from "chai";
import type { Operator } from "../../../oracle/src/index.ts";
import { STATE_NAMES } from "../../../oracle/src/core/index.ts";
import { INVARIANTS } from "../../../oracle/src/observe/index.ts";
import { parseExposition, valueOf, type Sample } from "../support/exposition.ts";
import { createWorld, dealOf, deliver, until, type World } from "../support/world.ts";

/** What a label may say, by its name. */
const LABELS: Readonly<Record<string, readonly string[] | RegExp>> = {
  state: STATE_NAMES,
  from: ["none", ...STATE_NAMES],
  to: STATE_NAMES,
  reason: /^[A-Z][A-Za-z]{4,24}$/,
  chain: ["evm", "genlayer"],
  tag: ["latest", "finalized"],
  provider: /^([0-9]{1,2}|other)$/,
  method: /^(eth|gen|sim)_[A-Za-z]{4,30}$|^(getTransaction|writeContract|other)$/,
  outcome: ["answered", "refused", "limited", "failed"],
  purpose: ["relay", "settle"],
  member: /^[0-9]{1,2}$/,
  invariant: INVARIANTS,
  account: ["submitter", "relayer"],
  le: /^([0-9.]+|\+Inf)$/,
};

describe("metrics", () => {
  let world: World;
  let operator: Operator;
  beforeEach(async () => {
    world = await createWorld();
    operator = await world.start();
  });
  afterEach(() => world.end());

  async function scrape(): Promise<readonly Sample[]> {
    const response = await fetch(`${operator.url}/metrics`);
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.match(/^text\/plain; version=0\.0\.4/);
    return parseExposition(await response.text());
  }

  it("are moved by a life", async () => {
    const before = await scrape();
    expect(valueOf(before, "assay_submissions", { state: "SETTLED" })).to.equal(0);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"]);
    const after = await scrape();

    expect(valueOf(after, "assay_submissions", { state: "SETTLED" })).to.equal(1);
    for (const [from, to, reason] of [
      ["none", "OBSERVED", "SubmissionSeen"],
      ["OBSERVED", "ANCHORED", "Anchored"],
      ["PROVISIONAL", "VERDICT_FINAL", "JudgeVerdict"],
      ["ATTESTED", "QUORUM", "QuorumReached"],
      ["SETTLED_SEEN", "SETTLED", "SettlementFinal"],
    ] as const)
      expect(valueOf(after, "assay_transitions_total", { from, to, reason }), reason).to.equal(1);
    expect(valueOf(after, "assay_transactions_signed_total", { purpose: "relay" })).to.equal(1);
    expect(valueOf(after, "assay_transactions_signed_total", { purpose: "settle" })).to.equal(1);
    expect(valueOf(after, "assay_quorum_signatures_total", { member: "0" })).to.equal(1);
    expect(valueOf(after, "assay_documents_bytes")).to.be.greaterThan(500);
    expect(valueOf(after, "assay_chain_block", { chain: "evm", tag: "latest" })).to.be.greaterThan(1);
    expect(valueOf(after, "assay_halted")).to.equal(0);
    const calls = { chain: "genlayer", method: "eth_sendRawTransaction", outcome: "answered" };
    expect(valueOf(after, "assay_rpc_seconds_count", calls)).to.equal(1);
    for (const invariant of INVARIANTS)
      expect(valueOf(after, "assay_invariant_violations_total", { invariant })).to.equal(0);
  });

  it("count what is parked, and since when", async () => {
    world.genLayer.code = "# another judge\n";
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["QUARANTINED"]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const samples = await scrape();
    expect(valueOf(samples, "assay_submissions", { state: "QUARANTINED" })).to.equal(1);
    expect(valueOf(samples, "assay_oldest_age_seconds", { state: "QUARANTINED" })).to.be.greaterThan(0.05);
    expect(valueOf(samples, "assay_oldest_age_seconds", { state: "SETTLED" })).to.equal(undefined);
  });

  it("have labels that are enumerations, whatever happens", async () => {
    world.genLayer.plans = ["UNDETERMINED", "FAIL"];
    const settled = await deliver(world, operator);
    await until(world, operator, settled.agreementId, ["SETTLED"]);
    const parked = await deliver(world, operator, dealOf(world, { adjudication: { chainId: 61_999 } }));
    await until(world, operator, parked.agreementId, ["QUARANTINED"]);
    world.genLayer.fault = () => ({ status: 500, text: "CANARY" });
    await deliver(world, operator);
    world.evm.mine(3);
    await new Promise((resolve) => setTimeout(resolve, 300));

    const samples = await scrape();
    expect(samples.some(({ labels }) => labels["outcome"] === "failed")).to.equal(true);
    for (const { name, labels } of samples) {
      expect(name).to.match(/^assay_/);
      for (const [label, value] of Object.entries(labels)) {
        const allowed = LABELS[label];
        if (allowed === undefined) expect.fail(`${name} has a label ${label} that nobody listed`);
        const fits = allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value);
        expect(fits, `${name}: ${label}="${value}"`).to.equal(true);
      }
    }
  }).timeout(30_000);

  it("belong to one operator, not to the process", async () => {
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"]);
    const other = await world.start(
      {},
      { ASSAY_DATA_DIR: `${world.dataDir}/other`, ASSAY_RANK_SECONDS: "3600" },
    );
    const samples = parseExposition(await (await fetch(`${other.url}/metrics`)).text());
    expect(valueOf(samples, "assay_transactions_signed_total", { purpose: "relay" })).to.equal(0);
  });
});
