import { readFileSync } from "node:fs";
import { expect } from "chai";
import { solidityPackedKeccak256, TypedDataEncoder } from "ethers";
import { executionConfigOf, type Exchange, type Step } from "../support/execution.ts";
import { ethers, loadFixture } from "../support/world.ts";

interface Claim {
  nonce: string;
  steps: Step[];
  records: (Exchange & { index: number })[];
  terminal: string;
  committedRoot?: string;
}

interface Vectors {
  recorder: { address: string };
  worked: Record<"nonce" | "sequenceHash" | "requestHash" | "responseHash", string> & {
    step: Step;
  } & Record<"committedRoot" | "stepNonce" | "attestation" | "chain" | "gateConfig", string> & {
      packed: Record<"committedRoot" | "stepNonce" | "attestation" | "chain", string>;
    };
  domain: { chainId: number; verifyingContract: string };
  sequences: { name: string; steps: Step[]; sequenceHash: string }[];
  missions: (Omit<Required<Claim>, "records"> & {
    name: string;
    agreementId: string;
    digest: string;
    records: (Exchange & Record<"attestation" | "chain", string>)[];
  })[];
  claims: { name: string; claim: Claim; code: string | null }[];
}

const { recorder, worked, domain, sequences, missions, claims } = JSON.parse(
  readFileSync(new URL("../../vectors/execution-chain.json", import.meta.url), "utf8"),
) as Vectors;

async function deployChain() {
  const chain = await ethers.deployContract("ExposedExecutionChain");
  const gate = await ethers.deployContract("ExecutionProofGate");
  return { chain, gate };
}

const isWord = (text: string): boolean => /^0x[0-9a-f]{64}$/.test(text);

/** What bytes can express: spelling is no question in calldata. */
const fitsCalldata = ({ nonce, terminal, committedRoot = nonce, records }: Claim): boolean =>
  [
    nonce,
    terminal,
    committedRoot,
    ...records.flatMap((record) => [record.requestHash, record.responseHash]),
  ].every(isWord);

describe("ExecutionChain: vectors", () => {
  it("gives the published values", async () => {
    const { chain, gate } = await loadFixture(deployChain);
    const { nonce, sequenceHash, step, stepNonce, committedRoot, attestation } = worked;
    expect(await chain.committedRoot(nonce, sequenceHash)).to.equal(committedRoot);
    expect(await chain.stepNonce(nonce, step.index)).to.equal(stepNonce);
    expect(await chain.attestation(step, worked, stepNonce)).to.equal(attestation);
    expect(await chain.fold(committedRoot, attestation)).to.equal(worked.chain);
    expect(await gate.configOf(committedRoot, recorder.address)).to.equal(worked.gateConfig);
    expect(executionConfigOf(committedRoot, recorder.address)).to.equal(worked.gateConfig);
  });

  it("never packs: packing is the same for words, and shows in attestations (negative control)", () => {
    const { nonce, sequenceHash, step, stepNonce, requestHash, responseHash, packed } = worked;
    const attestation = solidityPackedKeccak256(
      ["uint256", "string", "string", "bytes32", "bytes32", "bytes32"],
      [step.index, step.method, step.pathTemplate, requestHash, responseHash, stepNonce],
    );
    expect(attestation).to.equal(packed.attestation).and.not.equal(worked.attestation);
    expect(solidityPackedKeccak256(["bytes32", "bytes32"], [nonce, sequenceHash]))
      .to.equal(packed.committedRoot)
      .and.equal(worked.committedRoot);
  });

  for (const { name, steps, sequenceHash } of sequences) {
    it(`hashes the sequence "${name}"`, async () => {
      const { chain } = await loadFixture(deployChain);
      expect(await chain.sequenceHash(steps)).to.equal(sequenceHash);
    });
  }

  for (const { name, nonce, steps, records, committedRoot, terminal } of missions) {
    it(`walks "${name}" from its root to its terminal, over every value between`, async () => {
      const { chain, gate } = await loadFixture(deployChain);
      expect(await gate.replay(nonce, steps, records)).to.deep.equal([committedRoot, terminal]);
      let value = committedRoot;
      for (const [position, record] of records.entries()) {
        const attestation = await chain.attestation(
          steps[position]!,
          record,
          await chain.stepNonce(nonce, position),
        );
        expect(attestation).to.equal(record.attestation);
        value = await chain.fold(value, attestation);
        expect(value).to.equal(record.chain);
      }
      expect(value).to.equal(terminal);
    });
  }

  for (const { name, agreementId, committedRoot, terminal, digest } of missions) {
    it(`has the recorder of "${name}" sign the same digest, but for the chain`, async () => {
      const { gate } = await loadFixture(deployChain);
      const message = { agreementId, committedRoot, terminal };
      const types = {
        ExecutionTerminal: Object.keys(message).map((member) => ({ name: member, type: "bytes32" })),
      };
      const vectors = { name: "Assay Execution", version: "1", ...domain };
      expect(TypedDataEncoder.hash(vectors, types, message)).to.equal(digest);
      const { chainId } = await ethers.provider.getNetwork();
      const here = { ...vectors, chainId };
      expect(await gate.digestOf(domain.verifyingContract, agreementId, committedRoot, terminal)).to.equal(
        TypedDataEncoder.hash(here, types, message),
      );
    });
  }

  for (const { name, claim, code } of claims.filter((vector) => fitsCalldata(vector.claim))) {
    it(`${code === null ? "confirms" : "refuses"} "${name}"`, async () => {
      const { gate } = await loadFixture(deployChain);
      const { nonce, steps, records, terminal, committedRoot } = claim;
      const replayed = await gate.replay(nonce, steps, records).catch(() => undefined);
      const [root, end] = replayed ?? [];
      const holds = end === terminal && (committedRoot === undefined || committedRoot === root);
      expect(holds).to.equal(code === null);
    });
  }
});
