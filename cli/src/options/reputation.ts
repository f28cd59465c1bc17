import { Option, type Command } from "commander";
import { adjudicatorConfigOf, reputationOf, type Address, type Reputation } from "@assay/protocol";
import { readFacts, type SourcedFacts } from "../reputation/facts.ts";
import type { Session } from "../session.ts";

/** What {@link addReputation} adds to a command. */
export interface ReputationOptions {
  readonly from?: "index" | "chain";
  readonly anyAdjudicator?: boolean;
}

/** A reputation with where its facts were read. */
export interface SourcedReputation extends Pick<SourcedFacts, "source" | "sourceReason"> {
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

/** Computes a party's reputation now. */
export async function readReputation(
  session: Session,
  party: Address,
  { from, anyAdjudicator }: ReputationOptions,
): Promise<SourcedReputation> {
  const { quorum } = session.network;
  const { asOf, agreements, source, sourceReason } = await readFacts(session, party, from ?? null);
  const isOpen = anyAdjudicator === true || quorum === null;
  const adjudications = isOpen
    ? {}
    : {
        adjudications: [
          {
            adjudicator: quorum.address,
            adjudicatorConfig: adjudicatorConfigOf(quorum.members, quorum.threshold),
          },
        ],
      };
  return { source, sourceReason, reputation: reputationOf({ party, asOf, agreements, ...adjudications }) };
}
