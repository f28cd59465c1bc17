import { expect } from "chai";
import {
  accepted,
  addressOf,
  agreement,
  certified,
  deliveryFailed,
  evaluated,
  evaluatorRevoked,
  executionProven,
  funded,
  operatorRevoked,
  OPERATORS,
  refunded,
  released,
  submitted,
} from "../support/agreements.ts";
import type { Scenario } from "../support/scenario.ts";

const [batchA, batchB] = [agreement("batch A"), agreement("batch B")];
const signers = ["signer one", "signer two", "signer three"].map(addressOf).sort();
const foreign = agreement("in another escrow");
const unknown = agreement("nobody funded this");
const [retired, neverSigned] = [addressOf("retired operator"), addressOf("never signed")];
const lastCall = agreement("last call");
const proven = agreement("proven");
const [commerce, evaluating, leaving] = ["commerce", "evaluating operator", "leaving"].map(addressOf) as [
  string,
  string,
  string,
];

/** What the quorum logs. */
export const operators: Scenario[] = [
  {
    name: "certificates of one batch count for each of their signers",
    blocks: ({ escrow }) => [
      [batchA, batchB].map((a) => [funded(a), accepted(a), submitted(a)]),
      [
        [
          certified(batchA, 1, escrow, signers.slice(0, 2)),
          released(batchA),
          certified(batchB, 2, escrow, signers),
          refunded(batchB),
        ],
      ],
    ],
    check: async (index) => {
      const { operators: found } = await index.query<{ operators: unknown[] }>(
        `{ operators(where: { id_in: ["${signers.join('","')}"] }, orderBy: id) {
          certificates passes fails revokedAt signed(orderBy: logIndex) { outcome agreement { id } } } }`,
      );
      const [pass, fail] = [
        { outcome: "PASS", agreement: { id: batchA.id } },
        { outcome: "FAIL", agreement: { id: batchB.id } },
      ];
      expect(found).to.deep.equal([
        { certificates: 2, passes: 1, fails: 1, revokedAt: null, signed: [pass, fail] },
        { certificates: 2, passes: 1, fails: 1, revokedAt: null, signed: [pass, fail] },
        { certificates: 1, passes: 0, fails: 1, revokedAt: null, signed: [fail] },
      ]);
    },
  },
  {
    name: "a certificate for an escrow that is not indexed stands alone",
    blocks: () => [[[certified(foreign, 1, addressOf("another escrow"))]]],
    check: async (index) => {
      const { certificates } = await index.query<{ certificates: unknown[] }>(
        `{ certificates(where: { agreementId: "${foreign.id}" }) { escrow outcome agreement { id } } }`,
      );
      expect(certificates).to.deep.equal([
        { escrow: addressOf("another escrow"), outcome: "PASS", agreement: null },
      ]);
    },
  },
  {
    name: "a failed delivery is kept with its reason, whatever agreement it names",
    blocks: () => [[[deliveryFailed(3, unknown.id, "0xdeadbeef")]]],
    check: async (index) => {
      const { deliveryFailures } = await index.query<{ deliveryFailures: unknown[] }>(
        `{ deliveryFailures(where: { agreementId: "${unknown.id}" }) { index reason quorum } }`,
      );
      expect(deliveryFailures).to.deep.equal([
        { index: "3", reason: "0xdeadbeef", quorum: index.contracts.quorum },
      ]);
    },
  },
  {
    name: "a revocation marks the operator and leaves its past",
    blocks: ({ escrow }) => [
      [
        [
          funded(lastCall),
          submitted(lastCall),
          certified(lastCall, 1, escrow, [retired]),
          released(lastCall),
        ],
      ],
      [[operatorRevoked(retired), operatorRevoked(neverSigned)]],
    ],
    check: async (index) => {
      const { revocations } = await index.query<{ revocations: Revoked[] }>(
        `{ revocations(where: { operator_in: ["${retired}", "${neverSigned}"] }, orderBy: logIndex) {
          timestamp operator { id certificates firstSignedAt revokedAt } } }`,
      );
      const [first, second] = revocations;
      expect(first?.operator).to.include({ id: retired, certificates: 1, revokedAt: first?.timestamp });
      expect(second?.operator).to.include({ id: neverSigned, certificates: 0, firstSignedAt: null });
    },
  },
  {
    name: "an evaluated job counts for its signers, and stands beside the agreements",
    blocks: () => [[[evaluated(commerce, 2n ** 200n, 4, [evaluating])]]],
    check: async (index) => {
      const { operator } = await index.query<{ operator: unknown }>(`{ operator(id: "${evaluating}") {
        certificates withheld signed { id } evaluations { evaluator commerce jobId outcome signers { id } } } }`);
      expect(operator).to.deep.equal({
        ...{ certificates: 1, withheld: 1, signed: [] },
        evaluations: [
          {
            ...{ evaluator: index.contracts.evaluator, commerce, jobId: String(2n ** 200n) },
            ...{ outcome: "WITHHELD", signers: [{ id: evaluating }] },
          },
        ],
      });
    },
  },
  {
    name: "a proven execution belongs to the agreement that it released",
    blocks: ({ escrow }) => [
      [[funded(proven), accepted(proven), submitted(proven)]],
      [[executionProven(proven, escrow), released(proven), executionProven(foreign, commerce)]],
    ],
    check: async (index) => {
      const { agreement: found } = await index.query<{
        agreement: unknown;
      }>(`{ agreement(id: "${proven.id}") {
        outcome certificates { id } executionProofs { gate recorder terminal steps verdictHash } } }`);
      expect(found).to.deep.equal({
        ...{ outcome: "PASS", certificates: [] },
        executionProofs: [
          {
            ...{ gate: index.contracts.gate, recorder: addressOf("recorder"), steps: "3" },
            ...{ terminal: proven.submissionHash, verdictHash: proven.verdictHash },
          },
        ],
      });
      const { executionProofs } = await index.query<{ executionProofs: unknown[] }>(
        `{ executionProofs(where: { agreementId: "${foreign.id}" }) { escrow agreement { id } } }`,
      );
      expect(executionProofs).to.deep.equal([{ escrow: commerce, agreement: null }]);
    },
  },
  {
    name: "a revocation at the evaluator leaves the operator its place in the quorum",
    blocks: () => [[[evaluatorRevoked(leaving)]]],
    check: async (index) => {
      const { operator } = await index.query<{ operator: unknown }>(
        `{ operator(id: "${leaving}") { revokedAt revocations { verifier } } }`,
      );
      expect(operator).to.deep.equal({
        revokedAt: null,
        revocations: [{ verifier: index.contracts.evaluator }],
      });
    },
  },
  {
    name: "the operators of most certificates are known by their counts",
    blocks: () => [],
    check: async (index) => {
      const { operator } = await index.query<{ operator: { certificates: number; withheld: number } }>(
        `{ operator(id: "${OPERATORS[0]!}") { certificates withheld } }`,
      );
      expect(operator.certificates).to.be.greaterThan(4);
      expect(operator.withheld).to.equal(1);
    },
  },
];

interface Revoked {
  timestamp: string;
  operator: Record<string, unknown>;
}
