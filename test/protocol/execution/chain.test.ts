import { readFileSync } from "node:fs";
import {
  MAX_STEPS,
  type Hex,
  type Step,
  ValueError,
  attestationHash,
  committedRoot,
  executionGateConfigOf,
  executionTerminalTypedData,
  fold,
  missionNonce,
  nonceCommitment,
  requestHash,
  responseHash,
  sequenceHash,
  sha256,
  stepNonce,
  typedDataDigest,
  utf8Encode,
} from "@assay/protocol";
import { expect } from "chai";
import { AbiCoder, keccak256, verifyTypedData } from "ethers";
import fc from "fast-check";
import { keccak256Into } from "../../../protocol/src/execution/keccak.ts";
import { refusalOf } from "../support/refusal.ts";
import { executionVectors } from "./support/make-vectors.ts";
import { VECTORS_FILE, executionChainVectors } from "./support/vectors.ts";

const vectors = executionChainVectors();
const abi = AbiCoder.defaultAbiCoder();
const encoded = (types: string[], values: unknown[]): string => keccak256(abi.encode(types, values));

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
const ascii = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0x20, max: 0x7e }), { minLength: 1, maxLength })
    .map((codes) => String.fromCharCode(...codes));
const sequence = fc
  .array(fc.record({ method: ascii(16), pathTemplate: ascii(255), auth: fc.boolean() }), { maxLength: 12 })
  .map((items): Step[] => items.map((item, index) => ({ index, ...item })));

describe("the chain of an execution", () => {
  it("has the published values", () => {
    const { worked } = vectors;
    const { nonce, step, packed } = worked;
    expect(worked.committedRoot).to.equal(
      "0x3e92e0db88d6afea9edc4eedf62fffa4d92bcdfc310dccbe943747fe8302e871",
    );
    expect(worked.stepNonce).to.equal("0x5c75bb376affa44a4f06c8a768453c2f7945122a65eb322a0dd3cc2edcbd6f0a");
    expect(worked.attestation).to.equal("0xb9ca812cc96fe7e1af3a2688d25f3f593d4594bd3fa502e30930a481ffd53257");
    expect(worked.chain).to.equal("0x9165a2f370ce4699bf164e6da1c0c3d524949d0da918b1eead47adea686e57a3");
    expect(sequenceHash(vectors.sequences[1]!.steps)).to.equal(
      "0x9f36941b4ab4dce8cf504f2df7835955a4d81cfb88895b5b2d24fbfcb7c016c5",
    );
    expect(committedRoot(nonce, worked.sequenceHash)).to.equal(worked.committedRoot);
    expect(stepNonce(nonce, 0)).to.equal(worked.stepNonce);
    expect(attestationHash(step, worked, worked.stepNonce)).to.equal(worked.attestation);
    expect(fold(worked.committedRoot, worked.attestation)).to.equal(worked.chain);
    expect(packed).to.deep.include({
      committedRoot: worked.committedRoot,
      stepNonce: worked.stepNonce,
      chain: worked.chain,
    });
    expect(packed.attestation).to.match(/^0x63e125ed.*cc3e8b$/);
  });

  it("is what the vectors hold", async () => {
    const made: unknown = JSON.parse(JSON.stringify(await executionVectors()));
    expect(JSON.parse(readFileSync(VECTORS_FILE, "utf8"))).to.deep.equal(made);
  });

  it("is standard ABI encoding, by ethers' encoder, for texts and sequences of any length", () => {
    fc.assert(
      fc.property(sequence, hash, hash, hash, (steps, one, other, third) => {
        const tuples = steps.map(({ index, method, pathTemplate, auth }) => [
          index,
          method,
          pathTemplate,
          auth,
        ]);
        expect(sequenceHash(steps)).to.equal(encoded(["(uint256,string,string,bool)[]"], [tuples]));
        for (const step of steps) {
          expect(attestationHash(step, { requestHash: one, responseHash: other }, third)).to.equal(
            encoded(
              ["uint256", "string", "string", "bytes32", "bytes32", "bytes32"],
              [step.index, step.method, step.pathTemplate, one, other, third],
            ),
          );
          expect(stepNonce(one, step.index)).to.equal(encoded(["bytes32", "uint256"], [one, step.index]));
        }
        expect(committedRoot(one, other)).to.equal(encoded(["bytes32", "bytes32"], [one, other]));
        expect(fold(one, other)).to.equal(encoded(["bytes32", "bytes32"], [one, other]));
      }),
      { seed: 9, numRuns: 200 },
    );
  });

  it("hashes as Keccak-256 does at every length up to three blocks", () => {
    const digest = new Uint8Array(32);
    for (let length = 0; length <= 3 * 136 + 1; length += 1) {
      const input = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 255);
      keccak256Into(input, length, new DataView(digest.buffer));
      expect(`0x${Buffer.from(digest).toString("hex")}`, `${length} bytes`).to.equal(keccak256(input));
    }
  });

  it("changes with every part of an attestation", () => {
    const { step, stepNonce: nonce, ...worked } = vectors.worked;
    const other: Hex = `0x${"55".repeat(32)}`;
    const all = [
      attestationHash(step, worked, nonce),
      attestationHash({ ...step, index: 1 }, worked, nonce),
      attestationHash({ ...step, method: "PUT" }, worked, nonce),
      attestationHash({ ...step, pathTemplate: "/api/v1/agent" }, worked, nonce),
      attestationHash(step, { ...worked, requestHash: other }, nonce),
      attestationHash(step, { ...worked, responseHash: other }, nonce),
      attestationHash(step, worked, other),
    ];
    expect(new Set(all).size).to.equal(all.length);
  });

  it("refuses hashes in another spelling, indices out of range and texts beyond ASCII", () => {
    const good: Hex = `0x${"ab".repeat(32)}`;
    const step = { index: 0, method: "GET", pathTemplate: "/", auth: false };
    for (const bad of [
      good.toUpperCase(),
      good.slice(2),
      `${good}0`,
      good.slice(0, -1),
      "0x",
      `${good.slice(0, -1)}é`,
    ]) {
      for (const act of [
        () => committedRoot(bad as Hex, good),
        () => committedRoot(good, bad as Hex),
        () => stepNonce(bad as Hex, 0),
        () => attestationHash(step, { requestHash: bad as Hex, responseHash: good }, good),
        () => attestationHash(step, { requestHash: good, responseHash: bad as Hex }, good),
        () => attestationHash(step, { requestHash: good, responseHash: good }, bad as Hex),
        () => fold(bad as Hex, good),
        () => fold(good, bad as Hex),
      ]) {
        expect(refusalOf(ValueError, act).code, bad).to.equal("hex_malformed");
      }
    }
    for (const index of [-1, 0.5, MAX_STEPS, Number.NaN]) {
      expect(refusalOf(ValueError, () => stepNonce(good, index)).code).to.equal("uint_out_of_range");
    }
    for (const changed of [
      { index: 1 },
      { method: "" },
      { pathTemplate: "/é" },
      { pathTemplate: "a".repeat(256) },
    ]) {
      expect(refusalOf(ValueError, () => sequenceHash([{ ...step, ...changed }])).code).to.equal(
        "step_malformed",
      );
    }
  });

  it("binds method, target, status and body, as its formats say", () => {
    for (const { method, target, body, requestHash: expected } of vectors.content.requests) {
      const bodyHash = sha256(utf8Encode(body));
      expect(requestHash(method, target, bodyHash)).to.equal(expected);
      expect(sha256(utf8Encode(`${method} ${target}\n${bodyHash.slice(2)}`))).to.equal(expected);
    }
    for (const { status, body, responseHash: expected } of vectors.content.responses) {
      const bodyHash = sha256(utf8Encode(body));
      expect(responseHash(status, bodyHash)).to.equal(expected);
      expect(sha256(utf8Encode(`${status}\n${bodyHash.slice(2)}`))).to.equal(expected);
    }
  });

  it("mixes both sides' nonces after a commitment to the recorder's", () => {
    for (const { recorderNonce, agentNonce, ...expected } of vectors.nonces) {
      expect(nonceCommitment(recorderNonce)).to.equal(expected.commitment);
      expect(missionNonce(recorderNonce, agentNonce)).to.equal(expected.missionNonce);
      expect(expected.missionNonce).to.equal(encoded(["bytes32", "bytes32"], [recorderNonce, agentNonce]));
      expect(expected.commitment).to.equal(encoded(["bytes32"], [recorderNonce]));
    }
  });

  it("commits a gate to root and recorder", () => {
    const { worked, recorder } = vectors;
    expect(executionGateConfigOf(worked.committedRoot, recorder.address)).to.equal(worked.gateConfig);
    expect(worked.gateConfig).to.equal(
      encoded(["bytes32", "address"], [worked.committedRoot, recorder.address]),
    );
  });

  it("ends in what the recorder signs, for one agreement of one escrow", () => {
    const { domain, recorder, missions } = vectors;
    for (const { agreementId, committedRoot: root, terminal, digest, signature } of missions) {
      const typedData = executionTerminalTypedData({
        agreementId,
        committedRoot: root,
        terminal,
        chainId: domain.chainId,
        escrow: domain.verifyingContract,
      });
      expect(typedData.domain).to.deep.equal(domain);
      expect(typedDataDigest(typedData)).to.equal(digest);
      expect(verifyTypedData(typedData.domain, typedData.types, typedData.message, signature)).to.equal(
        recorder.address,
      );
    }
  });
});
