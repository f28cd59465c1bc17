import { expect } from "chai";
import fc from "fast-check";
import {
  adjudicatorConfigOf,
  agreementIdOf,
  certificatesIn,
  deliveryCalldata,
  toAddress,
  type Address,
  type Certificate,
  type Hex,
  type Terms,
} from "@assay/protocol";

const CHAIN_ID = 31337;
const QUORUM = toAddress(`0x${"9a".repeat(20)}`);

const hex = (bytes: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString("hex")}`);
const address = hex(20).map((text) => toAddress(text));
const ascending = fc
  .uniqueArray(address, { minLength: 1, maxLength: 7, selector: (one) => one.toLowerCase() })
  .map((members) => members.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)))
  .filter((members) => BigInt(members[0] ?? 0) > 0n);
const signature = fc.oneof(fc.constant<Hex>("0x"), hex(65), hex(200));

/** Certificates that are consistent, as operators make them. */
const certificate: fc.Arbitrary<Certificate> = fc
  .record({
    escrow: address,
    buyer: address,
    seller: address,
    reward: fc.bigInt({ min: 1n, max: 2n ** 128n - 1n }),
    agreementHash: hex(32),
    deliverBy: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    adjudicateBy: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    noVerdictSellerBps: fc.integer({ min: 0, max: 10_000 }),
    salt: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    submissionHash: hex(32),
    outcome: fc.integer({ min: 1, max: 4 }),
    verdictHash: hex(32),
    judge: address,
    judgeTx: hex(32),
    members: ascending,
    signatures: fc.array(signature, { minLength: 7, maxLength: 7 }),
  })
  .map(({ escrow, members, signatures, submissionHash, outcome, verdictHash, judge, judgeTx, ...rest }) => {
    const threshold = members.length;
    const terms: Terms = {
      ...rest,
      adjudicator: QUORUM,
      adjudicatorConfig: adjudicatorConfigOf(members, threshold),
    };
    const agreementId = agreementIdOf(terms, CHAIN_ID, escrow);
    const notAfter = terms.adjudicateBy;
    return {
      terms,
      verdict: { escrow, agreementId, submissionHash, outcome, verdictHash, judge, judgeTx, notAfter },
      members,
      threshold,
      signatures: signatures.slice(0, members.length),
    };
  });

const selectorOf = (calldata: Hex): string => calldata.slice(0, 10);
const [sample] = fc.sample(certificate, { numRuns: 1, seed: 1 });
const packedSelector = selectorOf(deliveryCalldata(sample as Certificate));

describe("deliveryCalldata", () => {
  it("is read back as the same certificate, whatever is in it", () => {
    fc.assert(
      fc.property(certificate, (given) => {
        const calldata = deliveryCalldata(given);
        expect(selectorOf(calldata)).to.equal(packedSelector);
        expect(certificatesIn(calldata, QUORUM, CHAIN_ID)).to.deep.equal([given]);
      }),
    );
  });

  it("takes the plain form for what the packed one has no room for, and is read back as well", () => {
    const plain = (change: (given: Certificate) => Certificate): void => {
      const given = change(sample as Certificate);
      const calldata = deliveryCalldata(given);
      expect(selectorOf(calldata)).to.not.equal(packedSelector);
      expect(certificatesIn(calldata, QUORUM, CHAIN_ID)).to.deep.equal([given]);
    };
    plain((given) => ({ ...given, terms: { ...given.terms, reward: 2n ** 128n } }));
    plain((given) => ({ ...given, verdict: { ...given.verdict, notAfter: given.verdict.notAfter + 1 } }));
    plain((given) => ({ ...given, signatures: given.members.map((): Hex => `0x${"ab".repeat(256)}`) }));
  });

  it("is at most half as long when it is packed", () => {
    const members: Address[] = [1, 2, 3, 4, 5].map((digit) => toAddress(`0x${String(digit).repeat(40)}`));
    const signatures = members.map((_, index): Hex => (index < 3 ? `0x${"5a".repeat(65)}` : "0x"));
    const given = { ...(sample as Certificate), members, threshold: 3, signatures };
    const packed = deliveryCalldata(given);
    const plain = deliveryCalldata({ ...given, terms: { ...given.terms, reward: 2n ** 128n } });
    expect(packed.length * 2).to.be.lessThan(plain.length);
  });
});
