import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { adjudicatorConfigOf, type Verdict } from "@assay/protocol";
import { OperatorSet } from "../support/operators.ts";
import { CHAIN_ID, QUORUM } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";
import { createWorld, deliver, submissionView, until, type World } from "../support/world.ts";

describe("an operator whose peers are announced in an operators.json", () => {
  let world: World;
  let set: OperatorSet;
  let env: Record<string, string>;

  beforeEach(async () => {
    world = await createWorld();
    set = await OperatorSet.of(world);
    const file = join(world.dataDir, "operators.json");
    const list = {
      schema: "assay/operators/1",
      chainId: CHAIN_ID,
      quorum: QUORUM,
      threshold: set.threshold,
      adjudicatorConfig: adjudicatorConfigOf(set.members, set.threshold),
      members: [0, 1, 2].map((index) => ({ address: set.attester(index), url: set.url(index) })),
    };
    await writeFile(file, JSON.stringify(list));
    env = { ASSAY_PEERS: "", ASSAY_OPERATORS_FILE: file };
  });
  afterEach(() => world.end());

  /** At the third member's place: what the second one would sign, changed a little. */
  function serveSecondsSignature(change: Partial<Verdict> = {}) {
    return set.impersonate(2, async (path) => {
      if (!path.startsWith("/v1/attestations/")) return null;
      const response = await fetch(`${set.url(0)}${path}`);
      if (!response.ok) return null;
      const { verdict } = (await response.json()) as { verdict: Verdict };
      return set.attestation(1, { ...verdict, ...change });
    });
  }

  it("counts no signature that another member's place serves, and takes it from its own", async () => {
    const end = await serveSecondsSignature();
    const operator = await set.start(0, {}, env);
    const { agreementId } = await deliver(world, operator, set.deal());
    await until(world, operator, agreementId, ["ATTESTED"], { seconds: 10 });
    while (!world.log.some((line) => line.includes("Served another's signature")))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await submissionView(operator, agreementId))?.state).to.equal("ATTESTED");
    expect(world.evm.broadcast.size).to.equal(0);

    await set.start(1, {}, env);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 15_000 });
    expect(world.evm.settlements).to.have.length(1);
    await end();
  }).timeout(30_000);

  it("stops paying over a member's signature on another outcome, wherever it is served", async () => {
    const end = await serveSecondsSignature({ outcome: 2, verdictHash: hash(0x13) });
    const operator = await set.start(0, {}, env);
    const { agreementId } = await deliver(world, operator, set.deal());
    const view = await until(world, operator, agreementId, ["CONFLICT"], { seconds: 10, timeout: 15_000 });
    expect(view.reason).to.include(`operator ${set.attester(1)} at ${set.url(2)} signed 0x`);
    expect(world.evm.broadcast.size).to.equal(0);
    await end();
  }).timeout(30_000);

  it("serves the list at /v1/operators", async () => {
    const operator = await set.start(0, {}, env);
    const list = (await (await fetch(`${operator.url}/v1/operators`)).json()) as { members: object[] };
    expect(list.members).to.deep.include({ address: set.attester(2), url: set.url(2) });
  });
});
