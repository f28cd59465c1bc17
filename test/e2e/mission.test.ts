import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Interface, Wallet } from "ethers";
import {
  agreementEscrowAbi,
  committedRoot,
  executionTerminalTypedData,
  gateDeliveryCalldata,
  parseSubmission,
  sequenceHash,
  type Address,
  type Execution,
  type GateDelivery,
  type Hex,
  type StepRecord,
} from "@assay/protocol";
import {
  TOUR,
  fundTour,
  setMissionStage,
  showMission,
  walkTour,
  type MissionStage,
  type ShownMission,
} from "../../scripts/demo/mission.ts";
import { balanceOf } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import { queryIndex } from "../../scripts/local/walk.ts";
import { operatorUrl } from "./support/scene.ts";
import { openStack } from "./support/world.ts";

const REWARD = 10_000n;

/** Waits for what comes with a block. */
async function until(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await done()) return;
    await sleep(100);
  }
  throw new Error("it did not come");
}

describe("the read-the-platform mission", function () {
  this.timeout(300_000);
  let stack: Stack;
  let shown: ShownMission;
  const said: string[] = [];

  before(async () => {
    stack = await openStack();
    shown = await showMission(stack, (line) => said.push(line));
  });

  it("locks 0.01 USDC before the walk, and the proof releases them", () => {
    expect(shown).to.include({ lockedBefore: "Funded", paid: REWARD, spent: REWARD });
    expect(said.filter((line) => /^ {2}step \d of 5 /.test(line))).to.have.length(TOUR.length);
  });

  it("asks no model: no operator has a submission of it to relay", async () => {
    const view = await fetch(`${operatorUrl(stack)}/v1/agreements/${shown.agreementId}`);
    const { submissions = [] } = (await view.json()) as { submissions?: unknown[] };
    expect(submissions).to.deep.equal([]);
  });

  it("is on every operator's timeline from the funding to the release, though none of them judges it", async () => {
    for (const { url } of stack.operators) {
      const path = `${url}/v1/agreements/${shown.agreementId}/timeline`;
      const view = async () =>
        (await (await fetch(path)).json()) as {
          escrowStatus?: string;
          entries: { moment: string; submissionHash: string | null; transactionHash: string }[];
        };
      await until(async () => (await view()).escrowStatus === "Released");
      expect(
        (await view()).entries.map((entry) => [entry.moment, entry.submissionHash, entry.transactionHash]),
      ).to.deep.equal([
        ["funded", null, shown.transactions.fund],
        ["included", shown.terminal, shown.transactions.submit],
        ["settled", shown.terminal, shown.transactions.claim],
      ]);
    }
  });

  it("is verified by a stranger from the chain and the public document alone", () => {
    expect(shown.report).to.include({ result: "PASS", failed: 0, notChecked: 0, terminal: shown.terminal });
    expect(shown.report.calls.map(({ method, pathTemplate }) => `${method} ${pathTemplate}`)).to.deep.equal(
      TOUR.map(({ method, pathTemplate }) => `${method} ${pathTemplate}`),
    );
  });

  describe("pays nothing for", () => {
    let stage: MissionStage;
    let agreementId: Hex;
    let good: GateDelivery;
    let other: GateDelivery;
    let file: string;

    before(async () => {
      stage = await setMissionStage(stack, () => undefined);
      const [deal, another] = [await fundTour(stage, "deal"), await fundTour(stage, "another")];
      ({ agreementId, file } = deal);
      const { address } = stack.cast.seller;
      const walked = await walkTour(stage, deal, address, "walk");
      good = await deliveryOf(deal.file, walked.proof);
      const elsewhere = await walkTour(stage, another, address, "another-walk");
      other = await deliveryOf(another.file, elsewhere.proof);
      await stage.assay("mission", "submit", deal.file, "--proof", walked.proof, "--wallet", "seller");
    });
    after(() => stage.close());

    const FORGERIES: [name: string, forge: () => Promise<GateDelivery> | GateDelivery][] = [
      [
        "an answer that was changed",
        () => changed((records) => (records[1]!.responseHash = `0x${"99".repeat(32)}`)),
      ],
      ["a part of the walk", () => changed((records) => records.pop())],
      [
        "a part of the walk, with the steps cut to it",
        () => ({
          ...changed((records) => records.pop()),
          execution: { ...good.execution, steps: good.execution.steps.slice(0, -1) },
        }),
      ],
      ["two steps in each other's place", () => changed((records) => records.reverse())],
      ["another agreement's walk, replayed", () => ({ ...other, terms: good.terms, escrow: good.escrow })],
      ["another agreement's records", () => ({ ...good, records: other.records })],
      ["a foreign recorder, signed by it", () => signedBy(Wallet.createRandom(), true)],
      ["a foreign signature in the recorder's name", () => signedBy(Wallet.createRandom(), false)],
      ["the seller as its own recorder", () => signedBy(stack.cast.seller, true)],
    ];
    for (const [name, forge] of FORGERIES)
      it(name, async () => {
        const { provider } = stack.venue;
        const before = await balanceOf(stack.venue, stack.cast.seller.address as Address);
        const data = gateDeliveryCalldata(await forge());
        const to = stack.contracts.gate;
        const refused = await provider.call({ to, data }).then(
          () => false,
          () => true,
        );
        expect(refused).to.equal(true);
        // Sent nevertheless, it is included and fails.
        const transaction = await stack.cast.relayer
          .connect(provider)
          .sendTransaction({ to, data, gasLimit: 2_000_000n });
        const receipt = await provider.waitForTransaction(transaction.hash);
        expect(receipt?.status).to.equal(0);
        expect(await balanceOf(stack.venue, stack.cast.seller.address as Address)).to.equal(before);
        expect(await statusOf(agreementId)).to.equal(3n);
      });

    it("a forged file, which the command line refuses before anything is sent", async () => {
      const path = join(stage.folder, "forged.json");
      const proof = JSON.parse(await readFile(join(stage.folder, "walk.json"), "utf8")) as {
        execution: { attestations: StepRecord[] };
      };
      proof.execution.attestations[0]!.requestHash = `0x${"99".repeat(32)}`;
      await writeFile(path, JSON.stringify(proof));
      const refused = await stage.assay("claim", file, "--proof", path, "--wallet", "relayer", "--yes").then(
        () => "",
        (error: unknown) => String(error),
      );
      expect(refused).to.include("ended with 4").and.include("the proof does not hold");
    });

    it("nothing else: the true proof still pays, and the index says so", async () => {
      const before = await balanceOf(stack.venue, stack.cast.seller.address as Address);
      const transaction = await stack.cast.relayer
        .connect(stack.venue.provider)
        .sendTransaction({ to: stack.contracts.gate, data: gateDeliveryCalldata(good) });
      const receipt = await transaction.wait();
      expect(receipt?.status).to.equal(1);
      expect((await balanceOf(stack.venue, stack.cast.seller.address as Address)) - before).to.equal(REWARD);
      const indexed = await queryIndex(stack, agreementId, {
        number: receipt!.blockNumber,
        hash: receipt!.blockHash,
      });
      expect(indexed.status).to.match(/released/i);
    });

    async function deliveryOf(deal: string, proof: string): Promise<GateDelivery> {
      const { terms, agreement, escrow } = JSON.parse(await readFile(deal, "utf8")) as {
        terms: Record<string, never>;
        agreement: { execution: Execution };
        escrow: Address;
      };
      const { execution } = parseSubmission(await readFile(proof));
      return {
        escrow,
        terms: { ...terms, reward: BigInt(terms["reward"]!), salt: BigInt(terms["salt"]!) } as never,
        execution: agreement.execution,
        records: execution!.attestations,
        signature: execution!.signature as Hex,
      };
    }

    function changed(change: (records: StepRecord[]) => unknown): GateDelivery {
      const forged = structuredClone(good);
      const records = [...forged.records];
      change(records);
      return { ...forged, records };
    }

    /** The same end of the walk, signed by somebody else. */
    async function signedBy(
      signer: Pick<Wallet, "address" | "signTypedData">,
      isNamed: boolean,
    ): Promise<GateDelivery> {
      const { execution, escrow } = good;
      const { domain, types, message } = executionTerminalTypedData({
        agreementId,
        committedRoot: committedRoot(execution.nonce, sequenceHash(execution.steps)),
        terminal: parseSubmission(await readFile(join(stage.folder, "walk.json"))).execution!.terminal,
        chainId: stack.evm.chainId,
        escrow,
      });
      const signature = (await signer.signTypedData(domain, types, message)) as Hex;
      const recorder = isNamed ? (signer.address as Address) : execution.recorder;
      return { ...good, execution: { ...execution, recorder }, signature };
    }

    async function statusOf(id: Hex): Promise<bigint> {
      const escrow = new Interface(agreementEscrowAbi);
      const answer = await stack.venue.provider.call({
        to: stack.venue.escrow,
        data: escrow.encodeFunctionData("stateOf", [id]),
      });
      return (escrow.decodeFunctionResult("stateOf", answer) as unknown as [bigint])[0];
    }
  });
});
