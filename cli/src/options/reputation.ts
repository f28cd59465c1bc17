import { Option, type Command } from "commander";
import { NoSourceError, createQueryClient } from "@assay/subgraph";
import { adjudicatorConfigOf, type Address, type Reputation, printable } from "@assay/protocol";
import { adjudicatorOf } from "../draft/quorum.ts";
import { UnavailableError } from "../errors.ts";
import type { Session } from "../session.ts";

/** What {@link addReputation} adds to a command. */
export interface ReputationOptions {
  readonly from?: "index" | "chain";
  readonly anyAdjudicator?: boolean;
}

/** A reputation with where its facts were read. */
export interface SourcedReputation {
  readonly source: "index" | "chain";
  /** Why it is not the index; `graph` when it is. */
  readonly sourceReason: string;
  readonly reputation: Reputation;
}

/** Adds the options that say which facts count. */
export function addReputation(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--from <source>",
        "where facts are read (default: the index, or the chain when it is of no use)",
      ).choices(["index", "chain"]),
    )
    .option(
      "--any-adjudicator",
      "count agreements under any adjudicator, also those whose parties judged themselves (default: the network's own)",
    );
}

/**
 * A party's reputation now: from the index when there is one that is healthy, on the chain and not far behind; else from
 * the chain's own logs. An operator's word is not taken: the chain is always there.
 *
 * @throws UnavailableError when neither can be read, or `from` can't.
 */
export async function readReputation(
  { io, node, network }: Session,
  party: Address,
  { from, anyAdjudicator }: ReputationOptions,
): Promise<SourcedReputation> {
  const { address: quorum, members, threshold } = await adjudicatorOf(network);
  const { chainId, escrow, fromBlock, index } = network;
  const client = createQueryClient({
    deployment: { chainId, escrow, quorum, startBlock: fromBlock },
    ...(index === null || from === "chain" ? {} : { graphUrl: index }),
    rpc: (method, parameters) => node.rpc.send(method, parameters),
  });
  const own = { adjudicator: quorum, adjudicatorConfig: adjudicatorConfigOf(members, threshold) };
  try {
    const { value, source, sourceReason, passedOver } = await client.reputation(
      party,
      anyAdjudicator === true ? {} : { adjudications: [own] },
    );
    const refused = passedOver.find((passed) => passed.source === "graph");
    if (from === "index" && source !== "graph")
      throw new UnavailableError(
        `the index is of no use: ${refused?.message ?? sourceReason}`,
        "Leave --from out to have the chain read instead, or name another index with --index-url.",
      );
    if (from === undefined && index !== null && refused !== undefined)
      io.diagnose(`The index is of no use: ${printable(refused.message)}; the chain was read instead`);
    return { source: source === "graph" ? "index" : "chain", sourceReason, reputation: value };
  } catch (error) {
    if (!(error instanceof NoSourceError)) throw error;
    throw new UnavailableError(printable(error.message), "Check --rpc-url and --index-url.", {
      cause: error,
    });
  }
}
