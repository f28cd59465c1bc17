import { Command } from "commander";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { writeNewFile } from "../../deal/deal-file.ts";
import { EXIT } from "../../exit-codes.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { addWork, type WorkOptions } from "../../options/work.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession } from "../../session.ts";
import { draftWork } from "../../work/draft-work.ts";
import { ignoredLine, previewLines } from "../../work/preview-lines.ts";

interface CheckOptions extends NetworkOptions, WorkOptions {
  readonly out?: string;
  readonly json?: boolean;
}

/** `assay work check`: what the judge's checks would say about a folder. */
export const workCheckCommand: CommandFactory = (io, finish) => {
  const command = new Command("check")
    .summary("run the agreement's checks on a folder, before anything is sent")
    .description(
      "Makes the folder into a submission and runs every deterministic check on it, by the judge's own rules. What\n" +
        "models or validators decide stays OPEN. The folder's .assayignore, or else its .gitignore, says what is left out.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .argument("<folder>", "the delivery")
    .option("--out <file>", "write the submission's document there");
  addJson(addWork(addNetwork(command)));
  return command
    .addHelpText(
      "after",
      `
Exit code 1: a check fails.

Examples:
  assay work check deal.json ./delivery --notes notes.json`,
    )
    .action(async (named: string, folder: string, options: CheckOptions) => {
      const session = await openSession(options, io);
      const { deal, collected, prepared, previews } = await draftWork(session, named, folder, options);
      if (options.out !== undefined) await writeNewFile(options.out, prepared.document);
      const left = ignoredLine(collected);
      if (left !== null) io.diagnose(left);
      show(
        io,
        options.json,
        {
          agreementId: deal.agreementId,
          submissionHash: prepared.submissionHash,
          bytes: prepared.document.length,
          files: Object.keys(collected.files),
          ignored: collected.ignored,
          requirements: previews,
        },
        previewLines(collected, prepared, previews),
      );
      finish(previews.some(({ result }) => result === "FAIL") ? EXIT.failed : EXIT.ok);
    });
};
