import { Command } from "commander";
import { examineExecution, isHash, type ExecutionFacts } from "@assay/protocol";
import type { CommandFactory } from "../../command.ts";
import { documentOf, openDeal } from "../../deal/open-deal.ts";
import { UsageError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { reportLines } from "../../mission/lines.ts";
import { factsOf } from "../../mission/mission-view.ts";
import {
  factsAbout,
  findProof,
  historyOf,
  proofIn,
  readProofFile,
  type FoundProof,
} from "../../mission/proof.ts";
import { createRecorderClient } from "../../mission/recorder.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { recorderOption, type RecorderOptions } from "../../options/recorder.ts";
import { addJson } from "../../options/write.ts";
import { show } from "../../output/show.ts";
import { openSession } from "../../session.ts";

interface VerifyOptions extends NetworkOptions, RecorderOptions {
  readonly agreement?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** `assay mission verify`: a stranger replays a walk from first principles. */
export const missionVerifyCommand: CommandFactory = (io, finish) => {
  const command = new Command("verify")
    .summary("replay a walk from first principles, as a stranger")
    .description(
      "Takes a proof from a file, or looks for an agreement's where everybody can: in the transaction that released it,\n" +
        "in its submission, at its recorder. Recomputes root, attestations and chain, recovers the recorder's signature,\n" +
        "and holds them against the agreement's document, its terms and what was submitted on chain.",
    )
    .argument("<proof>", "a proof's file (a recorder's answer or a submission), or an agreement (id or file)")
    .option("--agreement <agreement>", "with a proof's file: the agreement that it is for, by id or file")
    .addOption(recorderOption())
    .option("--strict", "count a step that could not be checked as failed");
  addJson(addNetwork(command));
  return command
    .addHelpText(
      "after",
      `
Exit codes:
  0  no step failed
  1  a step failed (with --strict: or was not checked)
  2  the command line or the file is wrong
  3  nobody has the proof, or an endpoint gives no answer

Examples:
  assay mission verify 0x…
  assay mission verify walk-1a2b3c4d.json --agreement deal.json
  assay mission verify mission.json          # by itself, without any network`,
    )
    .action(async (named: string, options: VerifyOptions) => {
      const { facts, place } = await examined(named, options, io);
      const report = examineExecution(facts);
      show(
        io,
        options.json,
        { place, subject: facts.subject ?? null, ...report },
        reportLines(report, place),
      );
      const isBad = report.failed > 0 || (options.strict === true && report.notChecked > 0);
      finish(isBad ? EXIT.failed : EXIT.ok);
    });
};

interface Examined {
  readonly facts: ExecutionFacts;
  readonly place: string;
}

async function examined(named: string, options: VerifyOptions, io: Io): Promise<Examined> {
  if (isHash(named.toLowerCase())) return ofAgreement(named, null, options, io);
  const read = await readProofFile(named);
  if (read.kind === "agreement") return ofAgreement(named, null, options, io);
  const proof = proofIn(named, read);
  const agreement =
    options.agreement ??
    (read.kind === "submission" ? read.submission.agreementId : read.view.agreement?.agreement_id);
  const hasNetwork = (options.network ?? options.rpcUrl) !== undefined;
  if (agreement !== undefined && hasNetwork) return ofAgreement(agreement, proof, options, io);
  if (read.kind === "mission" && options.agreement === undefined) {
    io.diagnose(
      "No network: the file is verified by itself, without the terms and what was submitted on chain.",
    );
    return { facts: factsOf(read.view), place: named };
  }
  throw new UsageError(
    "the proof's agreement can't be looked up without a network",
    "Name one with --network, or --rpc-url and --escrow; a submission does not say what was committed to.",
  );
}

async function ofAgreement(
  named: string,
  given: FoundProof | null,
  options: VerifyOptions,
  io: Io,
): Promise<Examined> {
  const session = await openSession(options, io);
  const { network } = session;
  const deal = await openDeal(named, network, network.chainId);
  const [document, history] = await Promise.all([
    documentOf(deal, network.operators),
    historyOf(session, deal.agreementId),
  ]);
  const subject = { chainId: network.chainId, escrow: network.escrow, agreementId: deal.agreementId };
  const recorder = options.recorder === undefined ? null : createRecorderClient(options.recorder);
  const proof = given ?? (await findProof(session, subject, history, recorder));
  return { facts: await factsAbout(session, deal, document, proof, history), place: proof.place };
}
