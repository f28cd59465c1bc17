import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccount, createClient } from "genlayer-js";
import * as chains from "genlayer-js/chains";
import type { Address, Hex } from "@assay/protocol";

type Chain = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["chain"]>;

/**
 * A chain of genlayer-js by its name, at an RPC URL of ours. It is a copy: given an endpoint, genlayer-js would
 * change the object that all clients of the process share.
 */
export function genLayerChain(name: keyof typeof chains, rpcUrl: string): Chain {
  const { blockExplorers: _none, ...chain } = chains[name];
  return { ...chain, rpcUrls: { default: { http: [rpcUrl] } } };
}

/** A deployed judge: where it is, and the SHA-256 of its code, which agreements pin. */
export interface JudgeDeployment {
  contract: Address;
  codeHash: Hex;
  transaction: Hex;
}

/** The Intelligent Contracts, by what they decide about. */
const SOURCES = {
  /** One seller's delivery under one agreement. */
  agreement: "agreement_verifier.py",
  /** Two agents' parts in one workflow. */
  workflow: "responsibility.py",
} as const;

/** What a judge decides about. */
export type JudgeKind = keyof typeof SOURCES;

const FOLDER = join(import.meta.dirname, "../../contracts-genlayer");
const POLL_MILLISECONDS = 250;

/**
 * Deploys the Intelligent Contract and believes it only when the network has finalized it: agreed on by its
 * validators, executed without error, and with exactly our code at the address.
 *
 * @param chain a chain of genlayer-js whose RPC URL is the one to use
 * @param kind which of the contracts
 * @param privateKey the deployer's key; the contract gives its deployer no power
 * @param timeoutSeconds how long to wait for finality
 */
export async function deployJudge(
  chain: Chain,
  kind: JudgeKind,
  privateKey: Hex,
  timeoutSeconds = 60,
): Promise<JudgeDeployment> {
  const code = readFileSync(join(FOLDER, SOURCES[kind]));
  const client = createClient({ chain, account: createAccount(privateKey) });
  const transaction = await client.deployContract({
    code: code.toString("utf8"),
    args: [],
    leaderOnly: false,
  });
  const contract = await waitForContract(client, transaction, timeoutSeconds);
  const deployed = Buffer.from(await client.getContractCode(contract), "utf8");
  if (!deployed.equals(code)) throw new Error(`The code at ${contract} is not the code that was deployed`);
  return { contract, codeHash: `0x${createHash("sha256").update(code).digest("hex")}`, transaction };
}

type Client = ReturnType<typeof createClient>;

async function waitForContract(client: Client, transaction: Hex, timeoutSeconds: number): Promise<Address> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  for (;;) {
    const found = await client.getTransaction({
      hash: transaction as Parameters<Client["getTransaction"]>[0]["hash"],
    });
    const { statusName, result_name, resultName, txExecutionResultName } = found as unknown as Record<
      string,
      string
    >;
    if (statusName === "FINALIZED") {
      const agreed = ["AGREE", "MAJORITY_AGREE"].includes(result_name ?? resultName ?? "");
      if (!agreed || txExecutionResultName !== "FINISHED_WITH_RETURN") {
        throw new Error(
          `The judge's deployment ${transaction} was finalized as ${result_name ?? resultName ?? "unknown"}, ${txExecutionResultName ?? "unknown"}`,
        );
      }
      return contractOf(found);
    }
    if (performance.now() > deadline) {
      throw new Error(
        `The judge's deployment ${transaction} is still ${statusName ?? "unknown"} after ${timeoutSeconds} s`,
      );
    }
    await sleep(POLL_MILLISECONDS);
  }
}

/** Where a deployment put its contract: Studio kinds name it in the data, testnet kinds as the recipient. */
function contractOf(transaction: Record<string, unknown>): Address {
  const data = transaction["data"] as { contract_address?: string } | undefined;
  return (data?.contract_address ?? transaction["recipient"]) as Address;
}
