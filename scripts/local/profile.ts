import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PROFILE_SCHEMA, type Profile } from "@assay/protocol";
import type { Stack } from "./stack.ts";

/** Where `assay --network localnet` looks from inside the clone. */
export const PROFILE_PATH = join(import.meta.dirname, "../../.assay/localnet.json");

/** What the command line has to know of a stack: where everything is, and who judges. */
export function profileOf({
  venue,
  evm,
  contracts,
  genlayer,
  responsibility,
  graph,
  operators,
}: Stack): Profile {
  return {
    schema: PROFILE_SCHEMA,
    name: "localnet",
    evm: {
      rpcUrl: evm.rpcUrl,
      chainId: evm.chainId,
      escrow: contracts.escrow,
      gate: contracts.gate,
      startBlock: contracts.startBlock,
    },
    quorum: { address: contracts.quorum, members: venue.members, threshold: venue.threshold },
    adjudication: venue.adjudication,
    responsibility: { contract: responsibility.contract, codeHash: responsibility.codeHash },
    genLayerRpcUrl: genlayer.rpcUrl,
    operators: operators.map(({ url }) => url),
    gateways: [],
    index: graph.queryUrl,
    // By their place among the chain's accounts, as cast.ts deals them out.
    developmentAccounts: { buyer: 1, seller: 2, relayer: 3 },
  };
}

/** Writes a stack's profile; the answer takes it away again, unless another stack has written its own since. */
export async function writeProfile(stack: Stack, path = PROFILE_PATH): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(profileOf(stack), null, 2)}\n`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return async () => {
    if ((await readFile(path, "utf8").catch(() => null)) === text) await rm(path, { force: true });
  };
}
