import { IndexError, createIndexClient } from "@assay/subgraph";
import {
  AGREEMENT_FACT_FIELDS,
  factsFromEntities,
  toHash,
  type Address,
  type AgreementFact,
  type AsOf,
} from "@assay/protocol";
import { printable } from "../output/printable.ts";
import type { Session } from "../session.ts";
import { readChainFacts } from "./chain-facts.ts";

/** Facts with where they were read. */
export interface SourcedFacts {
  readonly source: "index" | "chain";
  /** Why it is not the index; null when it is. */
  readonly sourceReason: string | null;
  readonly asOf: AsOf;
  readonly agreements: readonly AgreementFact[];
}

/** How long an index may trail behind the chain before the chain itself is read, in blocks. */
const MAX_BEHIND = 50;

/**
 * Reads the facts of a party's agreements: from the index when there is one that is healthy, on the chain and not far
 * behind; else from the chain's own logs.
 *
 * @param from where they have to come from; null to choose.
 */
export async function readFacts(
  session: Session,
  party: Address,
  from: "index" | "chain" | null,
): Promise<SourcedFacts> {
  const { network } = session;
  if (from !== "chain" && network.index !== null) {
    try {
      return await fromIndex(session, network.index, party);
    } catch (error) {
      if (from === "index" || !(error instanceof IndexError)) throw error;
      session.io.diagnose(`${printable(error.message)}; reading the chain instead`);
      return { ...(await readChainFacts(session)), source: "chain", sourceReason: `index: ${error.code}` };
    }
  }
  const sourceReason = from === "chain" ? "asked for" : "no index was given";
  return { ...(await readChainFacts(session)), source: "chain", sourceReason };
}

async function fromIndex({ node }: Session, url: string, party: Address): Promise<SourcedFacts> {
  const hashOf = async (height: number): Promise<string | undefined> => (await node.blockAt(height))?.hash;
  const index = createIndexClient({ url, hashOf });
  const { number } = await node.head();
  const { block, found } = await index.all("agreements", AGREEMENT_FACT_FIELDS, {
    where: { or: [{ seller: party.toLowerCase() }, { buyer: party.toLowerCase() }] },
    atLeast: Math.max(0, number - MAX_BEHIND),
  });
  const { timestamp } = (await node.blockAt(block.number)) ?? {};
  if (timestamp === undefined) throw new IndexError("OFF_CHAIN", `The chain has no block ${block.number}`);
  return {
    source: "index",
    sourceReason: null,
    asOf: { blockNumber: block.number, blockHash: toHash(block.hash), timestamp },
    agreements: factsFromEntities(found),
  };
}
