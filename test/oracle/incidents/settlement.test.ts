import { expect } from "chai";
import { verdictDigest, type Verdict } from "@assay/protocol";
import { assess } from "../../../oracle/src/judge/index.ts";
import { NO_RECORD, facts } from "../support/facts.ts";
import { CHAIN_ID, ESCROW, QUORUM } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";
import { createWorld, dealOf, deliver, put, submissionOf, until, type World } from "../support/world.ts";

const SLOW = { timeout: 20_000 };
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("incidents: settlement", function () {
  this.timeout(60_000);
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  it("OpenZeppelin/openzeppelin-relayer#808, omni/tokenbridge#545, lidofinance/lido-oracle#47: a price at its cap is offered until the market falls", async () => {
    let ahead = 0;
    const operator = await world.start(
      { clock: { now: () => Date.now() + ahead } },
      { ASSAY_EVM_MAX_FEE_GWEI: "3" },
    );
    world.evm.includes = false;
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLE_SENT"], SLOW);
    world.evm.includes = true;
    world.evm.baseFee = 50_000_000_000n;
    for (let round = 0; round < 3; round++) {
      ahead += 61_000;
      world.evm.dropMempool();
      world.evm.mine();
      await pause(60);
    }
    world.evm.baseFee = 1_000_000_000n;
    ahead += 11_000;
    await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("hyperlane-xyz/hyperlane-monorepo#919, #933, #1902, #9384: what keeps failing starves nothing new, and its count outlives a restart", async () => {
    const first = await world.start();
    const stuck = dealOf(world);
    const stuckId = world.evm.fund(stuck.terms);
    await put(first, stuck.agreementBytes);
    const submission = submissionOf(stuckId);
    await put(first, submission.bytes);
    world.evm.submit(stuckId, submission.hash);
    world.genLayer.planOf = (agreementId) => (agreementId === stuckId ? "STUCK" : "PASS");
    await until(world, first, stuckId, ["JUDGING"], SLOW);
    await first.stop();
    const again = await world.start();
    const { agreementId } = await deliver(world, again);
    await until(world, again, agreementId, ["SETTLED"], SLOW);
    const view = await until(world, again, stuckId, ["EXPIRED"], { seconds: 2_000, ...SLOW });
    expect(view.reason).to.include("until the end of the adjudication window");
  });

  it("connext/monorepo#4575, hyperlane-xyz/hyperlane-monorepo#7751: what somebody else executed is settled, and not tried again", async () => {
    const operator = await world.start();
    world.evm.includes = false;
    const { agreementId, submissionHash } = await deliver(world, operator);
    const { verdict } = await until(world, operator, agreementId, ["SETTLE_SENT"], SLOW);
    world.evm.settleByOther(agreementId, submissionHash, verdict!.verdictHash);
    await until(world, operator, agreementId, ["SETTLED"], SLOW);
    const sends = world.evm.calls.get("eth_sendRawTransaction");
    world.evm.includes = true;
    world.evm.mine(5);
    await pause(200);
    expect(world.evm.calls.get("eth_sendRawTransaction")).to.equal(sends);
  });

  it("movement-network/movement#838, ChainSafe/ChainBridge#406: a submission that a reorganisation takes back is never judged or paid", async () => {
    world.evm.finalityDepth = 6;
    const operator = await world.start();
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    const submission = submissionOf(agreementId);
    await put(operator, deal.agreementBytes);
    await put(operator, submission.bytes);
    world.evm.mine(8);
    world.evm.submit(agreementId, submission.hash);
    world.evm.mine(2);
    await until(world, operator, agreementId, ["OBSERVED"], { mine: false, ...SLOW });
    world.evm.reorg(2);
    await until(world, operator, agreementId, ["ORPHANED"], SLOW);
    for (let block = 0; block < 12; block++) {
      world.evm.mine();
      await pause(20);
    }
    expect(world.genLayer.sends).to.deep.equal([]);
    expect(world.evm.broadcast.size).to.equal(0);
  });

  it("informalsystems/hermes#1663, #2093, #4071; ponder-sh/ponder#1421, #2184, #1949, #1872: a restart in the middle misses nothing and repeats nothing", async () => {
    const first = await world.start();
    const one = await deliver(world, first);
    await until(world, first, one.agreementId, ["JUDGING", "PROVISIONAL", "VERDICT_FINAL", "SETTLED"], SLOW);
    await first.stop();
    const later = dealOf(world);
    const laterId = world.evm.fund(later.terms);
    const submission = submissionOf(laterId);
    world.evm.submit(laterId, submission.hash);
    world.evm.mine(30);
    const second = await world.start();
    await put(second, later.agreementBytes);
    await put(second, submission.bytes);
    for (const agreementId of [one.agreementId, laterId])
      await until(world, second, agreementId, ["SETTLED"], SLOW);
    expect(world.evm.settlements).to.have.length(2);
    expect(world.genLayer.transactions).to.have.length(2);
    expect(world.evm.broadcast.size).to.equal(2);
  });

  it("UTEXO-Protocol/bridge-smart-contracts#71, sherlock-audit/2024-04-titles#256: a certificate's digest differs for every chain and every quorum", () => {
    const verdict: Verdict = {
      escrow: ESCROW,
      agreementId: hash(1),
      submissionHash: hash(2),
      outcome: 1,
      verdictHash: hash(3),
      judge: ESCROW,
      judgeTx: hash(4),
      notAfter: 1,
    };
    const digests = [
      verdictDigest(verdict, CHAIN_ID, QUORUM),
      verdictDigest(verdict, 1, QUORUM),
      verdictDigest(verdict, CHAIN_ID, ESCROW),
    ];
    expect(new Set(digests).size).to.equal(3);
  });

  it("genlayer-studio-bridge-boilerplate: ACCEPTED is shown and moves nothing, and a failed relay is tried again", async () => {
    expect(assess(facts({}, { status: "ACCEPTED" })).kind).to.equal("accepted");
    let failures = 0;
    world.genLayer.fault = (method) =>
      method === "eth_sendRawTransaction" && failures++ < 2
        ? { body: { error: { code: -32_000, message: "busy" } } }
        : undefined;
    const operator = await world.start({ clock: { now: () => Date.now() * 20 } });
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"], SLOW);
    expect(failures).to.be.greaterThan(2);
    expect(world.genLayer.transactions).to.have.length(1);
  });

  it("genlayerlabs/genlayer-studio#1448, #1513: nodes that fail alike and agree on it decide nothing", () => {
    const agreedFailure = facts(
      { records: [NO_RECORD, NO_RECORD] },
      { result: "MAJORITY_AGREE", execution: "FINISHED_WITH_ERROR" },
    );
    expect(assess(agreedFailure).kind).to.equal("inconclusive");
  });

  it("genlayerlabs/genlayer-studio#1769, genlayerlabs/genlayer-cli#345, #346: no result but an agreement on a return is a verdict", () => {
    for (const result of ["TIMEOUT", "MAJORITY_DISAGREE", "NO_MAJORITY", "DETERMINISTIC_VIOLATION"])
      expect(assess(facts({ records: [NO_RECORD, NO_RECORD] }, { result })).kind, result).to.equal(
        "inconclusive",
      );
    expect(assess(facts({}, { result: "MAJORITY_DISAGREE" })).kind).to.equal("superseded");
  });

  it("genlayerlabs/genlayer-js#203: a judge without code at its address judges nothing", async () => {
    world.genLayer.code = "";
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["ANCHORED"], SLOW);
    expect(view.state).to.equal("ANCHORED");
    for (let block = 0; block < 5; block++) {
      world.evm.mine();
      await pause(30);
    }
    expect(world.genLayer.sends).to.deep.equal([]);
  });
});
