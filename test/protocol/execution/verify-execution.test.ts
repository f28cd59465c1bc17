import { type ExecutionClaim, type Hex, MAX_STEPS, type Step, verifyExecution } from "@assay/protocol";
import { expect } from "chai";
import fc from "fast-check";
import { executionChainVectors } from "./support/vectors.ts";

const vectors = executionChainVectors();

/** A hash with one of its bits flipped. */
function flipped(hash: Hex, bit: number): Hex {
  const digits = hash.slice(2);
  const at = bit >> 2;
  const digit = Number.parseInt(digits[at]!, 16) ^ (1 << (bit & 3));
  return `0x${digits.slice(0, at)}${digit.toString(16)}${digits.slice(at + 1)}`;
}

describe("verifyExecution", () => {
  it("accepts every mission of the vectors", () => {
    for (const mission of vectors.missions) {
      const { committedRoot, terminal } = mission;
      expect(verifyExecution(mission), mission.name).to.deep.equal({ valid: true, committedRoot, terminal });
    }
  });

  for (const { name, claim, code, step } of vectors.claims) {
    it(`${code === null ? "accepts" : "refuses"} ${name}`, () => {
      const verdict = verifyExecution(claim);
      if (verdict.valid) expect(code).to.equal(null);
      else {
        expect({ code: verdict.fault.code, step: verdict.fault.step }).to.deep.equal({ code, step });
        expect(verdict.fault.expected).to.not.equal(verdict.fault.found);
      }
    });
  }

  it("refuses more steps than an agreement may commit to", () => {
    const steps = Array.from({ length: MAX_STEPS + 1 }, (_, index): Step => ({
      index,
      method: "GET",
      pathTemplate: "/",
      auth: false,
    }));
    const verdict = verifyExecution({ ...vectors.missions[0]!, steps, records: [] });
    expect(verdict).to.deep.equal({
      valid: false,
      fault: { code: "too_many_steps", step: null, expected: "at most 256 steps", found: "257 steps" },
    });
  });

  it("says which step broke and gives both values", () => {
    const [mission] = vectors.missions;
    const records = mission!.records.map((record, index) =>
      index === 3 ? { ...record, responseHash: flipped(record.responseHash, 0) } : record,
    );
    const verdict = verifyExecution({ ...mission!, records });
    expect(verdict.valid).to.equal(false);
    if (verdict.valid) return;
    expect(verdict.fault).to.include({
      code: "attestation",
      step: 3,
      found: mission!.records[3]!.attestation,
    });
    expect(verdict.fault.expected).to.match(/^0x[0-9a-f]{64}$/);
  });

  it("notices any bit flipped in any hash of any mission", () => {
    const claims: ExecutionClaim[] = vectors.missions.map(({ nonce, steps, records, terminal }) => ({
      nonce,
      steps,
      records: records.map(({ index, requestHash, responseHash }) => ({ index, requestHash, responseHash })),
      terminal,
    }));
    fc.assert(
      fc.property(fc.constantFrom(...claims), fc.nat(), fc.nat(255), (claim, pick, bit) => {
        const place = pick % (2 + 2 * claim.records.length);
        const records = claim.records.map((record, index) => ({
          ...record,
          ...(place === 2 + 2 * index && { requestHash: flipped(record.requestHash, bit) }),
          ...(place === 3 + 2 * index && { responseHash: flipped(record.responseHash, bit) }),
        }));
        const nonce = place === 0 ? flipped(claim.nonce, bit) : claim.nonce;
        const terminal = place === 1 ? flipped(claim.terminal, bit) : claim.terminal;
        expect(verifyExecution({ ...claim, nonce, records, terminal }).valid).to.equal(false);
      }),
      { seed: 9, numRuns: 500 },
    );
  });
});
