import {
  type GateDelivery,
  executionGateConfigOf,
  executionProofGateAbi,
  gateDeliveriesIn,
  gateDeliveryCalldata,
  isGated,
  toAddress,
} from "@assay/protocol";
import { expect } from "chai";
import { Interface, concat } from "ethers";
import { executionChainVectors } from "./support/vectors.ts";

const [mission] = executionChainVectors().missions;
const RECORDER = toAddress(`0x${"4e".repeat(20)}`);
const DELIVERY: GateDelivery = {
  escrow: toAddress(`0x${"e5".repeat(20)}`),
  terms: {
    buyer: toAddress(`0x${"b0".repeat(20)}`),
    seller: toAddress(`0x${"5e".repeat(20)}`),
    reward: 10_000n,
    agreementHash: `0x${"a9".repeat(32)}`,
    adjudicator: toAddress(`0x${"ad".repeat(20)}`),
    adjudicatorConfig: executionGateConfigOf(mission!.committedRoot, RECORDER),
    deliverBy: 2_000_000_000,
    adjudicateBy: 2_000_100_000,
    noVerdictSellerBps: 0,
    salt: 7n,
  },
  execution: { nonce: mission!.nonce, recorder: RECORDER, steps: [...mission!.steps] },
  records: mission!.records.map(({ index, requestHash, responseHash }) => ({
    index,
    requestHash,
    responseHash,
  })),
  signature: mission!.signature,
};

describe("proofs for a gate in calldata", () => {
  it("read as they were written", () => {
    expect(gateDeliveriesIn(gateDeliveryCalldata(DELIVERY))).to.deep.equal([DELIVERY]);
  });

  it("are found inside of another call", () => {
    const inner = gateDeliveryCalldata(DELIVERY);
    const batch = new Interface(["function execute(bytes[] calls)"]).encodeFunctionData("execute", [
      [inner, concat(["0x12345678", inner])],
    ]);
    expect(gateDeliveriesIn(batch as `0x${string}`)).to.deep.equal([DELIVERY, DELIVERY]);
  });

  it("are none in other calldata, in bytes cut off, and in nothing", () => {
    const whole = gateDeliveryCalldata(DELIVERY);
    const { selector } = new Interface(executionProofGateAbi).getFunction("deliver")!;
    for (const bytes of ["0x", "0x12345678", selector, whole.slice(0, 400)])
      expect(gateDeliveriesIn(bytes as `0x${string}`)).to.deep.equal([]);
  });
});

describe("terms that a gate decides", () => {
  it("commit to exactly the walk and the recorder of the agreement", () => {
    const { terms, execution } = DELIVERY;
    expect(isGated(terms, { execution })).to.equal(true);
    expect(isGated(terms, {})).to.equal(false);
    expect(isGated(terms, { execution: { ...execution, recorder: terms.buyer } })).to.equal(false);
    expect(isGated(terms, { execution: { ...execution, nonce: terms.agreementHash } })).to.equal(false);
  });
});
