import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { deployContract, startGenLayerNetwork, type GenLayerNetwork } from "@assay/localnet";
import {
  adjudicationKey,
  documentHash,
  findGenLayerNetwork,
  parseAgreement,
  type Hex,
} from "@assay/protocol";
import { Endpoint, Secret } from "../../../oracle/src/index.ts";
import { createJudge, verdictConditions, type JudgeTransaction } from "../../../oracle/src/judge/index.ts";
import { ESCROW } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES, KEYS, dealOf, submissionOf } from "../support/world.ts";

const VERIFIER = join(import.meta.dirname, "../../../contracts-genlayer/agreement_verifier.py");
const AGREEMENT_ID = hash(0xa1);
const CHAIN_ID = 31_337;

describe("GenLayer adapter, on a network of the testnet kind", function () {
  this.timeout(60_000);
  let genlayer: GenLayerNetwork;

  before(async () => {
    genlayer = await startGenLayerNetwork({ kind: "testnet", finalityWindowSeconds: 0.2 });
  });
  after(() => genlayer.stop());

  it("a transaction that five validators judged meets every condition of a verdict", async () => {
    const network = findGenLayerNetwork("testnetBradbury")!;
    const judge = createJudge({
      endpoint: new Endpoint(new URL(genlayer.rpcUrl)),
      network,
      relayer: { address: ADDRESSES.relayer, privateKey: new Secret<Hex>(KEYS.relayer) },
    });
    await judge.verifyIdentity();
    const { address: contract } = await deployContract(genlayer, { code: readFileSync(VERIFIER, "utf8") });
    const codeHash = await judge.codeHash(contract);
    const adjudication = {
      network: network.name,
      chainId: network.chainId,
      consensusMain: network.consensusMain,
      contract,
      codeHash: codeHash!,
    };
    const { agreementBytes } = dealOf({ evm: { latest: { timestamp: 1 } } }, { adjudication });
    const submission = submissionOf(AGREEMENT_ID).bytes;
    const call = {
      agreementId: AGREEMENT_ID,
      chainId: CHAIN_ID,
      escrow: ESCROW,
      agreementText: Buffer.from(agreementBytes).toString("utf8"),
      submissionText: Buffer.from(submission).toString("utf8"),
    };

    const sent = await judge.prepare(contract, call, 5, 0);
    await judge.sendRaw(sent.raw);
    const id = (await judge.receipt(sent.transactionHash))?.judgeTx;
    let transaction: JudgeTransaction | null = null;
    while (transaction?.status !== "FINALIZED") {
      await sleep(100);
      transaction = await judge.transaction(id!);
    }

    expect(transaction.initialValidators).to.equal(5);
    const named = {
      agreementId: AGREEMENT_ID,
      agreementHash: documentHash(agreementBytes),
      submissionHash: documentHash(submission),
      chainId: CHAIN_ID,
      escrow: ESCROW,
    };
    const key = adjudicationKey(named);
    const record = await judge.record(contract, ADDRESSES.relayer, key);
    const subject = {
      ...named,
      agreement: parseAgreement(agreementBytes),
      adjudicationKey: key,
      calldata: judge.calldataOf(call),
    };
    const escrow = {
      status: "Submitted",
      submissionHashPrefix: named.submissionHash.slice(0, 64) as Hex,
    } as const;
    expect(
      verdictConditions({
        subject,
        transaction,
        records: [record, record],
        codeHash,
        escrow: escrow,
      }),
    ).to.deep.equal([]);
  });
});
