import { documentHash } from "@assay/protocol";
import { expect } from "chai";
import type { TransactionHash } from "genlayer-js/types";

import { loadExample, type ExampleName } from "../../../examples/index.ts";
import { deployContract } from "../../../localnet/src/genlayer/deploy.ts";
import type { Executor } from "../../../localnet/src/genlayer/execution/executor.ts";
import { createPyodideExecutor } from "../../../localnet/src/genlayer/execution/pyodide-executor.ts";
import type { ChainKind } from "../../../localnet/src/genlayer/kinds.ts";
import { type GenLayerNetwork, startGenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";
import {
  agreement,
  type Case,
  caseOf,
  keyOf,
  submission,
  VERIFIER,
} from "../../genlayer/support/verifier.ts";
import { type Client, connect, finalizes, FINALITY_WINDOW, reaches, rpc } from "./client.ts";

interface StoredRecord {
  readonly version: number;
  readonly sequence: number;
  readonly record: string;
  readonly adjudicationHash: string;
}

describe("the verifier's own source on the GenLayer network", function () {
  this.timeout(60_000);

  let executor: Executor;
  before(async () => {
    executor = await createPyodideExecutor({ instances: 2 });
  });
  after(() => executor.stop());

  for (const kind of ["studio", "testnet"] as const satisfies readonly ChainKind[]) {
    describe(`of the ${kind} kind`, () => {
      let network: GenLayerNetwork;
      let client: Client;
      let contract: `0x${string}`;

      before(async () => {
        network = await startGenLayerNetwork({ kind, executor, finalityWindowSeconds: 0 });
        client = connect(network);
        contract = (await deployContract(network, { code: VERIFIER })).address;
        await rpc(network, "localnet_setFinalityWindow", FINALITY_WINDOW);
      });
      after(() => network.stop());

      const caseFor = (name: ExampleName): Case => {
        const example = loadExample(name);
        const { chainId, consensusMain } = network;
        const adjudication = {
          ...agreement().adjudication,
          network: kind === "studio" ? "localnet" : "testnetBradbury",
          ...{ chainId, consensusMain, contract, relayers: [client.account!.address] },
        };
        return caseOf(agreement({ ...example.agreement, adjudication }), submission(example.submission));
      };
      const adjudicate = async (item: Case): Promise<TransactionHash> =>
        (await client.writeContract({
          address: contract,
          functionName: "adjudicate",
          args: [item.agreementId, item.chainId, item.escrow, item.agreement, item.submission],
          value: 0n,
        })) as TransactionHash;
      const recordOf = async (item: Case): Promise<StoredRecord> =>
        (await client.readContract({
          address: contract,
          functionName: "get_record",
          args: [client.account!.address, keyOf(item)],
        })) as unknown as StoredRecord;

      it("judges by what is in the files, five validators each for themselves", async () => {
        const outcomes: string[] = [];
        for (const name of ["password-reset/lenient", "password-reset/strict"] as const) {
          const item = caseFor(name);
          const finalized = await finalizes(network, client, await adjudicate(item), 30_000);
          expect(finalized.execution).to.equal("FINISHED_WITH_RETURN");
          expect(finalized.votes).to.deep.equal(["AGREE", "AGREE", "AGREE", "AGREE", "AGREE"]);

          const stored = await recordOf(item);
          expect(stored.adjudicationHash).to.equal(documentHash(Buffer.from(stored.record)));
          outcomes.push((JSON.parse(stored.record) as { outcome: string }).outcome);
        }

        expect(outcomes).to.deep.equal(["FAIL", "PASS"]);
      });

      it("refuses a second record under the same key, and keeps the first", async () => {
        const item = caseFor("password-reset/strict");
        const before = await recordOf(item);

        const finalized = await finalizes(network, client, await adjudicate(item), 30_000);

        expect(finalized.execution).to.equal("FINISHED_WITH_ERROR");
        expect(await recordOf(item)).to.deep.equal(before);
      });

      it("keeps nothing of what validators disagree on, and judges it when asked again", async () => {
        const item = caseFor("research-brief");
        await rpc(network, "localnet_disagreeNext", { contract });
        await finalizes(network, client, await adjudicate(item), 30_000);
        const between = await recordOf(item);

        await reaches(client, kind, await adjudicate(item), "ACCEPTED", 30_000);

        expect(between.version).to.equal(0);
        expect((await recordOf(item)).version).to.equal(1);
      });
    });
  }
});
