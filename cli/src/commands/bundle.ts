import { writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { SigningKey, computeAddress } from "ethers";
import { gather } from "@assay/evidence";
import {
  audit,
  canonicalize,
  encodeBundle,
  envelopeDigest,
  sealEnvelope,
  statementOf,
  toAddress,
  utf8Encode,
  type Evidence,
  type Hex,
} from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { addPlaces, placesOf, type PlaceOptions } from "../options/places.ts";
import { agreementIdValue } from "../options/values.ts";

interface BundleOptions extends PlaceOptions {
  readonly out?: string;
  readonly format: "bundle" | "in-toto";
  readonly signKeyEnv?: string;
}

/** `assay bundle`: everything that proves a verdict, in one file. */
export function bundleCommand(io: Io, finish: (code: ExitCode) => void): Command {
  const command = new Command("bundle")
    .summary("export everything that proves a verdict, in one file")
    .description(
      "Writes terms, events with proofs of inclusion, certificate, documents, records and the judge's facts into one\n" +
        "file, which `assay audit --verdict` checks without any network. What could not be had is listed under `gaps`.",
    )
    .argument("<agreementId>", "the agreement's 32-byte id, or its file", agreementIdValue)
    .option("--out <file>", "where to write it (default: standard output)")
    .addOption(
      new Option("--format <format>", "a bare bundle, or an in-toto Statement in a DSSE envelope")
        .choices(["bundle", "in-toto"])
        .default("bundle"),
    )
    .option(
      "--sign-key-env <name>",
      "sign the envelope with the secp256k1 key in that environment variable; no key is read otherwise",
    );
  return addPlaces(command).action(async (agreementId: Hex, options: BundleOptions) => {
    if (options.signKeyEnv !== undefined && options.format !== "in-toto")
      throw new UsageError("only envelopes are signed", "Add --format in-toto, or leave --sign-key-env out.");
    const key = keyFrom(options.signKeyEnv, io);
    const evidence = await gather(agreementId, placesOf(options));
    for (const { subject, reason } of evidence.gaps) io.diagnose(`Missing: ${subject}: ${reason}`);
    const bytes = options.format === "bundle" ? encodeBundle(evidence) : envelope(evidence, key);
    if (options.out === undefined) io.out(Buffer.from(bytes).toString("utf8"));
    else {
      await writeFile(options.out, bytes);
      io.diagnose(`Wrote ${bytes.length} bytes to ${options.out}`);
    }
    finish(EXIT.ok);
  });
}

function envelope(evidence: Evidence, key: SigningKey | null): Uint8Array {
  const payload = statementOf(evidence, audit(evidence).outcome);
  const signatures =
    key === null
      ? []
      : [
          {
            signer: toAddress(computeAddress(key.publicKey)),
            signature: key.sign(envelopeDigest(payload)).serialized as Hex,
          },
        ];
  return utf8Encode(canonicalize(sealEnvelope(payload, signatures)));
}

function keyFrom(variable: string | undefined, { env }: Io): SigningKey | null {
  if (variable === undefined) return null;
  const value = env[variable];
  // The value stays out of every message.
  if (value === undefined || !/^0x[0-9a-fA-F]{64}$/.test(value))
    throw new UsageError(
      `${variable} holds no private key`,
      "Put 0x and 64 hexadecimal digits into that environment variable.",
    );
  return new SigningKey(value);
}
