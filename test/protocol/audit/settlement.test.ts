import { Interface } from "ethers";
import { expect } from "chai";
import {
  agreementEscrowAbi,
  audit,
  historyOf,
  toAddress,
  type AuditStep,
  type Evidence,
  type Hex,
  type LogEvidence,
} from "@assay/protocol";
import { settledCase } from "./support/case.ts";
import { replaced } from "./support/flip.ts";

const escrowInterface = new Interface(agreementEscrowAbi);

const step = (evidence: Evidence, id: string): AuditStep =>
  audit(evidence).steps.find((one) => one.id === id)!;

describe("settlement", () => {
  let pass: Evidence;
  let undetermined: Evidence;

  before(async () => {
    pass = await settledCase();
    undetermined = await settledCase({ outcome: "UNDETERMINED" });
  });

  /** The case with another ending: the last transaction logs these instead, without a proof. */
  function endedBy(
    name: string,
    values: readonly unknown[],
    seller: bigint,
    buyer: bigint,
    at?: number,
  ): Evidence {
    const { terms } = historyOf(pass).funded!;
    const { topics, data } = escrowInterface.encodeEventLog(name, [pass.agreementId, ...values]);
    const [transfer] = pass.evm.transactions[2]!.logs.slice(-1);
    const paid = (to: Hex, amount: bigint): LogEvidence[] =>
      amount === 0n
        ? []
        : [
            {
              ...transfer!,
              topics: [...transfer!.topics.slice(0, 2), `0x${to.slice(2).toLowerCase().padStart(64, "0")}`],
              data: `0x${amount.toString(16).padStart(64, "0")}`,
            },
          ];
    const ending: LogEvidence = { address: pass.evm.escrow, topics: topics as Hex[], data: data as Hex };
    const logs = [ending, ...paid(terms.seller, seller), ...paid(terms.buyer, buyer)];
    const evidence = replaced(pass, ["evm", "transactions", 2, "logs"], logs);
    return at === undefined ? evidence : replaced(evidence, ["evm", "blocks", 2, "timestamp"], at);
  }

  const REWARD = 25_000_001n;
  const SELLER_SHARE = REWARD - (REWARD * 6_000n) / 10_000n;

  it("the odd unit of a split goes to the seller, and a refused payout counts as its credit", () => {
    expect(step(undetermined, "amounts")).to.deep.include({
      result: "PASS",
      expected: `seller ${SELLER_SHARE}, buyer ${REWARD - SELLER_SHARE}`,
    });
  });

  it("amounts of every ending that no verdict brought about", () => {
    const { terms } = historyOf(pass).funded!;
    const late = terms.adjudicateBy + 1;
    const cases: [Evidence, string][] = [
      [endedBy("Cancelled", [], 0n, REWARD), "Cancelled"],
      [endedBy("Conceded", [terms.buyer], REWARD, 0n), "Conceded by the buyer"],
      [endedBy("Conceded", [terms.seller], 0n, REWARD), "Conceded by the seller"],
      [endedBy("Settled", [7n], 7n, REWARD - 7n), "Settled"],
      [endedBy("Expired", [SELLER_SHARE], SELLER_SHARE, REWARD - SELLER_SHARE, late), "Expired"],
    ];
    for (const [evidence, name] of cases) {
      expect(step(evidence, "amounts"), name).to.include({ result: "PASS" });
      expect(step(evidence, "deadlines"), name).to.include({ result: "PASS" });
      expect(step(evidence, "verdictHash"), name).to.include({ result: "NOT_CHECKED" });
      expect(audit(evidence), name).to.include({ outcome: null });
    }
  });

  it("an amount that the terms don't give fails", () => {
    const { terms } = historyOf(pass).funded!;
    const wrong = [
      endedBy("Cancelled", [], 1n, REWARD - 1n),
      endedBy("Conceded", [terms.buyer], REWARD - 1n, 0n),
      endedBy("Settled", [7n], 8n, REWARD - 8n),
      endedBy("Expired", [SELLER_SHARE + 1n], SELLER_SHARE + 1n, REWARD - SELLER_SHARE - 1n),
    ];
    for (const evidence of wrong) expect(step(evidence, "amounts")).to.include({ result: "FAIL" });
  });

  it("what comes a second too late, or too early, fails", () => {
    const { terms } = historyOf(pass).funded!;
    /** The step, with one block at that time and no later block before it. */
    const at = (block: number, timestamp: number): AuditStep => {
      const blocks = pass.evm.blocks.map((one, index) => ({
        ...one,
        timestamp:
          index === block ? timestamp : index > block ? Math.max(one.timestamp, timestamp) : one.timestamp,
      }));
      return step(replaced(pass, ["evm", "blocks"], blocks), "deadlines");
    };
    expect(at(1, terms.deliverBy)).to.include({ result: "PASS" });
    expect(at(1, terms.deliverBy + 1)).to.include({ result: "FAIL" });
    expect(at(2, terms.adjudicateBy)).to.include({ result: "PASS" });
    expect(at(2, terms.adjudicateBy + 1)).to.include({ result: "FAIL" });
    expect(at(0, terms.deliverBy - 600)).to.include({ result: "PASS" });
    expect(at(0, terms.deliverBy - 599)).to.include({ result: "FAIL" });
    const early = endedBy("Expired", [SELLER_SHARE], SELLER_SHARE, REWARD - SELLER_SHARE, terms.adjudicateBy);
    expect(step(early, "deadlines")).to.include({ result: "FAIL" });
  });

  it("an event that the outcome does not demand fails", async () => {
    const fail = await settledCase({ outcome: "FAIL" });
    const released = replaced(
      fail,
      ["evm", "transactions", 2, "logs", 1],
      pass.evm.transactions[2]!.logs[1]!,
    );
    const { topics, data } = escrowInterface.encodeEventLog("Released", [
      fail.agreementId,
      historyOf(fail).submitted!.submissionHash,
      historyOf(fail).ending!.verdictHash,
    ]);
    const lie = replaced(released, ["evm", "transactions", 2, "logs", 1], {
      address: fail.evm.escrow,
      topics,
      data,
    });
    expect(step(lie, "settlement")).to.deep.include({
      result: "FAIL",
      expected: "event Refunded",
      actual: "event Released",
    });
  });

  it("a batch that pays the same parties twice is not called wrong, and not called right", () => {
    const { logs } = pass.evm.transactions[2]!;
    const other = { ...logs[1]!, topics: [logs[1]!.topics[0]!, `0x${"ee".repeat(32)}`] };
    const batch = replaced(pass, ["evm", "transactions", 2, "logs"], [...logs, other, logs[2]]);
    expect(step(batch, "amounts")).to.include({ result: "NOT_CHECKED" });
  });
});

describe("signatures of contracts (ERC-1271)", () => {
  it("count when the contract itself said so about this very digest and signature", async () => {
    const evidence = await settledCase({ signing: [0] });
    const { input } = evidence.evm.transactions[2]!;
    expect(step(evidence, "threshold")).to.include({ result: "FAIL", actual: "1" });
    // The second member, which has no signature, gets three bytes that only it can judge.
    const packedSize = 273 + 60 + 66 + 1 + 1;
    const start = 2 + 2 * 68;
    const at = start + 2 * (273 + 60 + 66);
    const packed = `${input.slice(start, at)}03a1b2c3${input.slice(at + 2, start + 2 * packedSize)}`;
    const length = (packedSize + 3).toString(16).padStart(64, "0");
    const changed: Hex = `0x${input.slice(2, start - 64)}${length}${packed.padEnd(Math.ceil(packed.length / 64) * 64, "0")}`;
    const asked = replaced(evidence, ["evm", "transactions", 2, "input"], changed);
    expect(step(asked, "signatures")).to.include({ result: "FAIL" });
    const answer = {
      signer: toAddress("0x68e527780872cda0216ba0d8fbd58b67a5d5e351"),
      digest: /0x\w{64}/.exec(step(asked, "signatures").note)![0] as Hex,
      signature: "0xa1b2c3" as Hex,
      valid: true,
    };
    const vouched = replaced(asked, ["evm", "contractSignatures"], [answer]);
    expect(step(vouched, "signatures")).to.include({ result: "PASS" });
    expect(step(vouched, "signatures").note).to.contain("as the contract itself answered");
    expect(step(vouched, "threshold")).to.include({ result: "PASS", actual: "2" });
    const denied = replaced(asked, ["evm", "contractSignatures"], [{ ...answer, valid: false }]);
    expect(step(denied, "threshold")).to.include({ result: "FAIL" });
  });
});
