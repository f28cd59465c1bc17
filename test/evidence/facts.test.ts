import { encodeRlp } from "ethers";
import { expect } from "chai";
import type { Hex } from "@assay/protocol";
import { readStudioTransaction, readTestnetTransaction } from "../../evidence/src/genlayer/facts.ts";

const ID: Hex = `0x${"ab".repeat(32)}`;
const SENDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const JUDGE = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

describe("facts of a judge transaction", () => {
  const studio = {
    hash: ID,
    status: "FINALIZED",
    result: 6,
    result_name: "MAJORITY_AGREE",
    txExecutionResult: 1,
    txExecutionResultName: "FINISHED_WITH_RETURN",
    sender: SENDER.toLowerCase(),
    recipient: JUDGE.toLowerCase(),
    leader_only: false,
    execution_mode: "NORMAL",
    num_of_initial_validators: 5,
    consensus_data: {
      votes: { [`0x${"1".repeat(40)}`]: "agree", [`0x${"2".repeat(40)}`]: "agree" },
      leader_receipt: [{ node_config: { address: `0x${"3".repeat(40)}` } }],
    },
    data: { calldata: Buffer.from([1, 2, 3]).toString("base64") },
  };

  it("a Studio network's answer, normalised", () => {
    expect(readStudioTransaction(ID, studio)).to.deep.equal({
      id: ID,
      status: "FINALIZED",
      result: "MAJORITY_AGREE",
      execution: "FINISHED_WITH_RETURN",
      sender: SENDER,
      recipient: JUDGE,
      leaderOnly: false,
      initialValidators: 5,
      participants: 3,
      calldata: "0x010203",
    });
  });

  it("what a Studio network does not say, or contradicts itself about, is unknown", () => {
    const read = (change: object) => readStudioTransaction(ID, { ...studio, ...change });
    expect(read({ result: 7 })?.result, "number against name").to.equal(null);
    expect(read({ result_name: "SURE" })?.result, "unknown name").to.equal(null);
    expect(read({ txExecutionResult: 9, txExecutionResultName: undefined })?.execution).to.equal(null);
    expect(read({ status: "DONE" })?.status).to.equal(null);
    expect(read({ status: 7 })?.status, "a number alone").to.equal("FINALIZED");
    expect(read({ leader_only: undefined })?.leaderOnly).to.equal(null);
    expect(read({ execution_mode: "LEADER_ONLY" })?.leaderOnly, "by its mode").to.equal(true);
    expect(read({ consensus_data: null })?.participants).to.equal(null);
    expect(read({ sender: "0x12" })?.sender).to.equal(null);
    expect(readStudioTransaction(ID, null)).to.equal(null);
  });

  const testnet = {
    txId: ID,
    status: 7n,
    statusName: "FINALIZED",
    result: 1,
    resultName: "AGREE",
    txExecutionResult: 1,
    txExecutionResultName: "FINISHED_WITH_RETURN",
    sender: SENDER,
    recipient: JUDGE,
    numOfInitialValidators: "5",
    lastRound: { roundValidators: [SENDER, JUDGE] },
    txCalldata: encodeRlp(["0x010203", "0x00"]),
  };

  it("a testnet's answer, normalised", () => {
    expect(readTestnetTransaction(ID, testnet)).to.deep.equal({
      id: ID,
      status: "FINALIZED",
      result: "AGREE",
      execution: "FINISHED_WITH_RETURN",
      sender: SENDER,
      recipient: JUDGE,
      leaderOnly: false,
      initialValidators: 5,
      participants: 2,
      calldata: "0x010203",
    });
  });

  it("a testnet's struct of zeros, or of another transaction, is no transaction", () => {
    expect(readTestnetTransaction(ID, { ...testnet, status: 0 })).to.equal(null);
    expect(readTestnetTransaction(ID, { ...testnet, txId: `0x${"00".repeat(32)}` })).to.equal(null);
    const alone = { ...testnet, txCalldata: encodeRlp(["0x01", "0x01"]) };
    expect(readTestnetTransaction(ID, alone)?.leaderOnly).to.equal(true);
    expect(readTestnetTransaction(ID, { ...testnet, txCalldata: "0x12" })?.leaderOnly).to.equal(null);
  });
});
