import { expect } from "chai";
import { Wallet } from "ethers";
import {
  encodeDocument,
  executionTerminalTypedData,
  toAddress,
  typedDataDigest,
  type Submission,
} from "@assay/protocol";
import { loadExample } from "../../../examples/index.ts";
import { executionChainVectors } from "../../protocol/execution/support/vectors.ts";
import { visit, type Visitor } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

const { missions, recorder } = executionChainVectors();
const mission = missions[0]!;
/** As a submission carries them: without what follows from them. */
const RECORDS = mission.records.map(({ attestation: _attestation, chain: _chain, ...record }) => record);

describe("a walk along committed calls, replayed in the browser", function () {
  this.timeout(60_000);
  let world: World;
  let visitor: Visitor;

  before(async () => {
    world = await openWorld();
  });
  afterEach(() => visitor.leave());

  const agreement = (): Uint8Array => {
    return encodeDocument({
      ...loadExample("password-reset/strict").agreement,
      schema: "assay/agreement/1",
      adjudication: world.stack.venue.adjudication,
      requirements: [{ id: "WALK", text: "It was walked.", check: { type: "execution_proof" } }],
      execution: {
        nonce: mission.nonce,
        recorder: toAddress(recorder.address),
        steps: [...mission.steps],
      },
    });
  };

  /** What the seller hands in: the records, whose end the recorder has signed for this world's escrow. */
  const submission = (over: Partial<NonNullable<Submission["execution"]>> = {}): Uint8Array => {
    const { chainId, escrow } = world.stack.venue;
    const { agreementId, committedRoot, terminal } = mission;
    const digest = typedDataDigest(
      executionTerminalTypedData({ agreementId, committedRoot, terminal, chainId, escrow }),
    );
    return encodeDocument({
      schema: "assay/submission/1",
      agreementId,
      summary: "",
      files: {},
      links: [],
      evidence: [],
      execution: {
        attestations: RECORDS,
        terminal,
        signature: new Wallet(recorder.privateKey).signingKey.sign(digest).serialized,
        ...over,
      },
    });
  };

  async function drop(submitted: Uint8Array): Promise<void> {
    visitor = await visit(world);
    await visitor.goto("/recompute");
    const file = (name: string, bytes: Uint8Array) => ({
      name,
      mimeType: "application/json",
      buffer: Buffer.from(bytes),
    });
    await visitor.page
      .getByLabel("A bundle, or an agreement")
      .setInputFiles([file("agreement.json", agreement()), file("submission.json", submitted)]);
  }

  const failed = (): Promise<string[]> =>
    visitor.page
      .locator("[data-step][data-result=FAIL]")
      .evaluateAll((steps) => steps.map((step) => step.getAttribute("data-step") ?? ""));

  it("holds: every call with its hashes, from the committed root to the end that was signed", async () => {
    await drop(submission());
    const { page } = visitor;
    await page.getByText(/passed, 0 failed/).waitFor();
    expect(await failed()).to.deep.equal([]);
    const rows = page.getByRole("region", { name: "The chain, call by call" }).getByRole("row");
    expect(await rows.count()).to.equal(2 + mission.steps.length);
    const ends = await rows.last().locator("code .whole").allTextContents();
    expect(ends.at(-1)).to.equal(mission.terminal);
    await visitor.checkAccess();
    await visitor.shot("walk");
  });

  it("does not hold when one answer was another", async () => {
    const attestations = RECORDS.map((record, index) =>
      index === 0 ? { ...record, responseHash: `0x${"9".repeat(64)}` as const } : record,
    );
    await drop(submission({ attestations }));
    await visitor.page.getByText("The walk does not hold").waitFor();
    expect(await failed()).not.to.deep.equal([]);
    await visitor.checkAccess();
  });

  it("does not hold when somebody else signed its end", async () => {
    const { chainId, escrow } = world.stack.venue;
    const { agreementId, committedRoot, terminal } = mission;
    const digest = typedDataDigest(
      executionTerminalTypedData({ agreementId, committedRoot, terminal, chainId, escrow }),
    );
    const signature = Wallet.createRandom().signingKey.sign(digest).serialized;
    await drop(submission({ signature }));
    await visitor.page.getByText("The walk does not hold").waitFor();
    expect(await failed()).to.have.lengthOf(1);
  });
});
