import { Command } from "commander";
import { checkInWords } from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { dealLines } from "../../deal/deal-lines.ts";
import { examineDeal } from "../../deal/examine-deal.ts";
import { documentOf, openDeal } from "../../deal/open-deal.ts";
import { readState } from "../../escrow/contracts.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWork, type WorkOptions } from "../../options/work.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";
import { openSession } from "../../session.ts";
import { draftWork } from "../../work/draft-work.ts";
import { previewLines } from "../../work/preview-lines.ts";

interface CheckOptions extends NetworkOptions, WorkOptions {
  readonly against?: string;
  readonly json?: boolean;
}

/** `assay agreement check`: explains an agreement to somebody who is about to sign it. */
export const agreementCheckCommand: CommandFactory = (io, finish) => {
  const command = new Command("check")
    .summary("explain an agreement, and find what is wrong with it")
    .description(
      "Recomputes the agreement's hashes, explains every requirement and what decides it, and compares judge and\n" +
        "operators with the network's profile. With --against it also runs the checks on a draft of the delivery.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .option("--against <folder>", "a draft of the delivery, as for `assay work check`");
  addJson(addWork(addNetwork(command)));
  return command
    .addHelpText(
      "after",
      `
Exit code 1: something is wrong with it, or a check fails on the draft.

Examples:
  assay agreement check deal.json
  assay agreement check deal.json --against ./delivery`,
    )
    .action(async (named: string, options: CheckOptions) => {
      const session = await openSession(options, io);
      const { network, node } = session;
      const deal = await openDeal(named, network, network.chainId);
      const { document: agreement } = await documentOf(deal, network.operators);
      const [{ timestamp }, { status }] = await Promise.all([
        node.head(),
        readState(node, network.escrow, deal.agreementId),
      ]);
      const findings = examineDeal({ ...deal, agreement }, network, status === "None" ? timestamp : null);
      const work =
        options.against === undefined ? null : await draftWork(session, named, options.against, options);
      const { agreementId, terms } = deal;
      show(
        io,
        options.json,
        {
          agreementId,
          status,
          terms,
          title: agreement.title,
          requirements: agreement.requirements.map((requirement) => ({
            ...requirement,
            inWords: checkInWords(requirement.check),
          })),
          findings,
          preview: work?.previews ?? null,
        },
        [
          ...dealLines(session, deal, agreement, timestamp),
          `Status in the escrow: ${status === "None" ? "not funded" : status}`,
          ...table(
            findings.map(({ result, message }) => [result.toUpperCase(), message]),
            2,
          ),
          ...(work === null ? [] : previewLines(work.collected, work.prepared, work.previews)),
        ],
      );
      const isBad =
        findings.some(({ result }) => result === "problem") ||
        work?.previews.some(({ result }) => result === "FAIL") === true;
      finish(isBad ? EXIT.failed : EXIT.ok);
    });
};
