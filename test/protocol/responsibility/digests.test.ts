import { readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import {
  type Address,
  type Hex,
  type ResponsibilityVerdict,
  type Workflow,
  assessmentDigest,
  responsibilityRecordDigest,
  toAddress,
  typedDataDigest,
  workflowAcceptanceTypedData,
  workflowClosingTypedData,
  workflowDigest,
  workflowKey,
  workflowOutputTypedData,
} from "@assay/protocol";

interface Vector {
  readonly name: string;
  readonly workflow: Workflow;
  readonly outputA: string;
  readonly outputB: string;
  readonly verdict: ResponsibilityVerdict;
  readonly assessor: Address;
  readonly sequence: number;
  readonly workflowKey: Hex;
  readonly workflowDigest: Hex;
  readonly assessmentDigest: Hex;
  readonly recordDigest: Hex;
}

const { vectors } = JSON.parse(
  readFileSync(new URL("../../vectors/responsibility.json", import.meta.url), "utf8"),
) as { vectors: Vector[] };
const ordinary = vectors[0]!;

describe("responsibility digests", () => {
  for (const vector of vectors) {
    it(`are those of a second implementation: ${vector.name}`, () => {
      expect(workflowKey(vector.workflow)).to.equal(vector.workflowKey);
      expect(workflowDigest(vector.workflow)).to.equal(vector.workflowDigest);
      expect(assessmentDigest(vector)).to.equal(vector.assessmentDigest);
      expect(responsibilityRecordDigest(vector)).to.equal(vector.recordDigest);
    });
  }

  it("do not depend on the letter case of addresses or the order of assessors", () => {
    const vector = vectors[2]!;
    const lower = (address: Address): Address => address.toLowerCase() as Address;
    const same: Workflow = {
      ...vector.workflow,
      creator: lower(vector.workflow.creator),
      agentA: lower(vector.workflow.agentA),
      assessors: [...vector.workflow.assessors].reverse().map(lower),
    };
    expect(workflowDigest(same)).to.equal(vector.workflowDigest);
  });

  it("change with every field of a workflow", () => {
    const other: Workflow = {
      creator: toAddress(`0x${"01".repeat(20)}`),
      workflowId: "another",
      agentA: toAddress(`0x${"02".repeat(20)}`),
      agentB: toAddress(`0x${"03".repeat(20)}`),
      taskSpec: "Another.",
      agentAObligation: "Another.",
      agentBObligation: "Another.",
      acceptanceCriteria: "Another.",
      assessors: [toAddress(`0x${"04".repeat(20)}`)],
      patience: 7,
    };
    const digests = (Object.keys(other) as (keyof Workflow)[]).map((field) =>
      workflowDigest({ ...ordinary.workflow, [field]: other[field] }),
    );
    expect(new Set([...digests, ordinary.workflowDigest]).size).to.equal(Object.keys(other).length + 1);
  });

  it("differ wherever text moves from one field to the next", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (head, tail) => {
        const one = { ...ordinary, outputA: head + tail, outputB: "x" };
        const other = { ...ordinary, outputA: head, outputB: `${tail}x` };
        expect(assessmentDigest(one) === assessmentDigest(other)).to.equal(tail === "");
      }),
    );
  });

  it("refuse malformed addresses and numbers", () => {
    expect(() => workflowDigest({ ...ordinary.workflow, agentA: "0x12" })).to.throw("is not an address");
    expect(() => workflowDigest({ ...ordinary.workflow, patience: 1.5 })).to.throw("patience is 1.5");
    expect(() => responsibilityRecordDigest({ ...ordinary, sequence: -1 })).to.throw("sequence is -1");
  });
});

describe("what agents of a workflow sign", () => {
  const place = { chainId: 61127, contract: ordinary.workflow.creator, workflowKey: ordinary.workflowKey };

  it("is bound to the chain, the contract, the workflow and its kind", () => {
    const digests = [
      workflowAcceptanceTypedData(place, ordinary.workflowDigest),
      workflowAcceptanceTypedData({ ...place, chainId: 4221 }, ordinary.workflowDigest),
      workflowAcceptanceTypedData({ ...place, contract: ordinary.workflow.agentA }, ordinary.workflowDigest),
      workflowAcceptanceTypedData(place, ordinary.assessmentDigest),
      workflowOutputTypedData(place, "an output"),
      workflowOutputTypedData(place, "another"),
      workflowClosingTypedData(place),
    ].map(typedDataDigest);
    expect(new Set(digests).size).to.equal(digests.length);
  });

  it("names its fields for a wallet", () => {
    expect(workflowAcceptanceTypedData(place, ordinary.workflowDigest)).to.deep.equal({
      domain: {
        name: "Assay Responsibility",
        version: "1",
        chainId: 61127,
        verifyingContract: ordinary.workflow.creator,
      },
      types: {
        WorkflowAcceptance: [
          { name: "workflowKey", type: "bytes32" },
          { name: "workflowDigest", type: "bytes32" },
        ],
      },
      primaryType: "WorkflowAcceptance",
      message: { workflowKey: ordinary.workflowKey, workflowDigest: ordinary.workflowDigest },
    });
  });
});
