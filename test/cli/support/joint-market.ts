import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Wallet } from "ethers";
import { startGenLayerNetwork } from "@assay/localnet";
import { toAddress, type Agreement, type Hex, type Role } from "@assay/protocol";
import { deployJudge, genLayerChain } from "../../../scripts/deploy/judge.ts";
import { startMarket, type Market } from "./market.ts";
import type { Ran } from "./run.ts";

/** Flags by name; null leaves one out. */
export type Changes = Record<string, string | null>;

export interface DealFile {
  readonly agreementId: string;
  readonly terms: Record<string, unknown>;
  readonly agreement: Agreement;
}

/** A market with a GenLayer network that has the contract of workflows. */
export interface JointMarket {
  readonly market: Market;
  /** `agreement new` of a joint agreement with these flags. */
  newFlags(changes?: Changes): string[];
  /** The files of both sides. */
  drawUp(changes?: Changes): Promise<Record<Role, string>>;
  /** Likewise, with both agents' consent. */
  agreed(): Promise<Record<Role, string>>;
  /** Likewise, with both rewards in escrow. */
  funded(): Promise<Record<Role, string>>;
  workflow(command: string, file: string, wallet: string, ...args: string[]): Promise<Ran>;
  /** Asks the GenLayer network. */
  rpc(method: string, params: unknown[]): Promise<unknown>;
  read(file: string): Promise<DealFile>;
  /** Writes a file of this market; the answer is its path. */
  written(name: string, text: string | Uint8Array): Promise<string>;
  status(file: string): Promise<unknown>;
  end(): Promise<void>;
}

export async function startJointMarket(): Promise<JointMarket> {
  const genLayer = await startGenLayerNetwork({
    finalityWindowSeconds: 0,
    models: [{ provider: "rules" }],
  });
  const chain = genLayerChain("localnet", genLayer.rpcUrl);
  const { contract, codeHash } = await deployJudge(
    chain,
    "workflow",
    Wallet.createRandom().privateKey as Hex,
  );
  const market = await startMarket({
    genLayerRpcUrl: genLayer.rpcUrl,
    responsibility: { contract: toAddress(contract), codeHash },
  });
  let drawn = 0;

  const succeed = async (...args: string[]): Promise<void> => {
    const { code, err } = await market.assay(...args);
    if (code !== 0) throw new Error(err);
  };
  const joint: JointMarket = {
    market,
    newFlags(changes = {}) {
      const flags: Changes = {
        "--wallet": "buyer",
        "--title": "Report",
        "--task": "Publish a report in two languages.",
        "--criteria": "Both texts say the same.",
        "--seller": "seller",
        "--reward": "40",
        "--obligation": "Write it.",
        "--seller-b": "relayer",
        "--reward-b": "10.5",
        "--obligation-b": "Translate it.",
        "--deliver-by": "1h",
        "--out": join(market.folder, `joint-${drawn++}.json`),
        ...changes,
      };
      return [
        "agreement",
        "new",
        ...Object.entries(flags).flatMap(([flag, value]) => (value === null ? [] : [flag, value])),
      ];
    },
    async drawUp(changes) {
      const flags = joint.newFlags(changes);
      await succeed(...flags);
      const stem = flags[flags.indexOf("--out") + 1]!.replace(/\.json$/, "");
      return { A: `${stem}-a.json`, B: `${stem}-b.json` };
    },
    async agreed() {
      const files = await joint.drawUp();
      await succeed("workflow", "create", files.A, "--wallet", "buyer");
      for (const agent of ["seller", "relayer"])
        await succeed("workflow", "accept", files.A, "--wallet", agent);
      return files;
    },
    async funded() {
      const files = await joint.agreed();
      for (const file of Object.values(files))
        await succeed("agreement", "fund", file, "--wallet", "buyer", "--yes");
      return files;
    },
    workflow: (command, file, wallet, ...args) =>
      market.assay("workflow", command, file, "--wallet", wallet, ...args),
    async rpc(method, params) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      const response = await fetch(genLayer.rpcUrl, { method: "POST", headers, body });
      return ((await response.json()) as { result: unknown }).result;
    },
    read: async (file) => JSON.parse(await readFile(file, "utf8")) as DealFile,
    async written(name, text) {
      const path = join(market.folder, name);
      await writeFile(path, text);
      return path;
    },
    status: async (file) =>
      (JSON.parse((await market.assay("status", file, "--json")).out) as { status: unknown }).status,
    async end() {
      await market.end();
      await genLayer.stop();
    },
  };
  return joint;
}
