import { Command } from "commander";
import { bundleSource, gather } from "@assay/evidence";
import { audit, type AuditReport, type Evidence, type Hex } from "@assay/protocol";
import { readBundleFile } from "../bundle-file.ts";
import { UsageError } from "../errors.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { addPlaces, placesOf, type PlaceOptions } from "../options/places.ts";
import { agreementIdValue } from "../options/values.ts";
import { formatReport } from "../output/report.ts";

interface AuditOptions extends PlaceOptions {
  readonly verdict?: string;
  readonly offline?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** What an audit was made from. */
interface Audited {
  readonly mode: "live" | "offline";
  /** Who signed the file's envelope. */
  readonly envelopeSigners: readonly Hex[];
  readonly report: AuditReport;
}

/** `assay audit`: recomputes a verdict from public facts and prints every step. */
export function auditCommand(io: Io, finish: (code: ExitCode) => void): Command {
  const command = new Command("audit")
    .summary("recompute a verdict from public data")
    .description(
      "Reads everything public about an agreement, or takes it from a bundle, and recomputes every step from the\n" +
        "terms to the payment. No operator has to be believed, or has to be there.",
    )
    .argument("[agreementId]", "the agreement's 32-byte id, or its file", agreementIdValue)
    .option("--verdict <file>", "audit a bundle, or an in-toto envelope, that `assay bundle` wrote")
    .option("--offline", "with --verdict: ask nobody, audit the file by itself")
    .option("--strict", "count a step that could not be checked as failed")
    .option("--json", "print one JSON object");
  return addPlaces(command)
    .addHelpText(
      "after",
      `
Exit codes:
  0  no step failed
  1  a step failed (with --strict: or was not checked)
  2  the command line or the configuration is wrong
  3  an endpoint gives no answer, or knows no such agreement

A step marked "(as reported)" rests on the word of the nodes asked, or of the bundle; every other one on hashes and
signatures alone.`,
    )
    .action(async (agreementId: Hex | undefined, options: AuditOptions) => {
      const audited = await run(agreementId, options, io);
      const { mode, envelopeSigners, report } = audited;
      if (options.json === true) io.out(`${JSON.stringify({ mode, envelopeSigners, ...report })}\n`);
      else io.out(formatReport(report));
      const failed = report.failed > 0 || (options.strict === true && report.notChecked > 0);
      finish(failed ? EXIT.failed : EXIT.ok);
    });
}

async function run(agreementId: Hex | undefined, options: AuditOptions, io: Io): Promise<Audited> {
  if (options.verdict === undefined) {
    if (agreementId === undefined)
      throw new UsageError(
        "there is nothing to audit",
        "Give an agreement's id, or a bundle with --verdict <file>.",
      );
    if (options.offline === true)
      throw new UsageError(
        "--offline needs --verdict",
        "Give a bundle to audit by itself with --verdict <file>.",
      );
    const evidence = await gather(agreementId, placesOf(options));
    return { mode: "live", envelopeSigners: [], report: audit(evidence) };
  }
  const { evidence, signers } = await readBundleFile(options.verdict);
  if (agreementId !== undefined && agreementId !== evidence.agreementId)
    throw new UsageError(
      `${options.verdict} is about agreement ${evidence.agreementId}`,
      "Leave the id out, or give the bundle of that agreement.",
    );
  if (options.offline === true || (options.rpcUrl ?? options.network) === undefined) {
    if (options.offline !== true)
      io.diagnose("No --rpc-url: the file is audited by itself, as with --offline.");
    return { mode: "offline", envelopeSigners: signers, report: audit(evidence) };
  }
  return { mode: "live", envelopeSigners: signers, report: await againstChains(evidence, options) };
}

/** Audits a bundle, and compares it with what the chains say now. */
async function againstChains(bundle: Evidence, options: AuditOptions): Promise<AuditReport> {
  const { chainId, escrow } = bundle.evm;
  const places = placesOf(options, { chainId, escrow, sources: [bundleSource(bundle)] });
  return audit(bundle, await gather(bundle.agreementId, places));
}
