import { readFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import {
  ProtocolError,
  SCHEMA,
  agreementSchema,
  parseStrict,
  type Address,
  type AdjudicationPolicy,
} from "@assay/protocol";
import { readBounded } from "../deal/deal-file.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { whenValue, type When } from "../options/durations.ts";
import { addressValue } from "../options/values.ts";
import { accountNamed, walletOf, type WalletOptions } from "../options/wallet.ts";
import type { Session } from "../session.ts";

/** A task from a file. @throws UsageError when it can't be read. */
export async function textOf(path: string): Promise<string> {
  await readBounded(path, 64 * 1024);
  return (await readFile(path, "utf8")).trimEnd();
}

/** Who pays: `--buyer`, else the wallet's account. @throws UsageError when nobody is named. */
export async function buyerOf(
  options: WalletOptions & { readonly buyer?: string },
  io: Io,
  { network }: Session,
): Promise<Address> {
  if (options.buyer !== undefined) return accountNamed(options.buyer, io, network, addressFlag("--buyer"));
  const wallet = await walletOf(options, io, network);
  if (wallet !== null) return wallet.address;
  throw new UsageError("nobody is named as the buyer", "Use --buyer, or --wallet for your own account.");
}

/**
 * Who judges: `--adjudication`, else the template's, else what is given at last.
 *
 * @throws UsageError when nobody says.
 */
export async function adjudicationOf(
  { adjudication: path }: { readonly adjudication?: string },
  template: { readonly adjudication?: unknown },
  otherwise: AdjudicationPolicy | null,
): Promise<AdjudicationPolicy> {
  if (path !== undefined) {
    try {
      return agreementSchema.shape.adjudication.parse(parseStrict(await readBounded(path, 64 * 1024)));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(
        `${path} does not say who judges`,
        `It is JSON: the member adjudication of a document of format ${SCHEMA.agreement}.`,
        { cause: error },
      );
    }
  }
  const found = (template.adjudication as AdjudicationPolicy | undefined) ?? otherwise;
  if (found !== null) return found;
  throw new UsageError(
    "nobody says who judges",
    "Use a network's profile with an adjudication, a template that has one, or --adjudication <file>.",
  );
}

/** `--deliver-by`. */
export function whenFlag(text: string): When {
  return flagged("--deliver-by", () => whenValue(text));
}

/** An address that came with a flag. */
export const addressFlag = (flag: string) => (text: string) => flagged(flag, () => addressValue(text));

function flagged<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UsageError(`${flag} can't be read`, error.message);
    if (error instanceof ProtocolError) throw new UsageError(`${flag}: ${error.message}`, error.hint);
    throw error;
  }
}

/** A uint256 in decimal digits. */
export function saltValue(text: string): bigint {
  if (!/^\d{1,78}$/.test(text) || BigInt(text) >= 2n ** 256n)
    throw new InvalidArgumentError("Write a whole number below 2^256.");
  return BigInt(text);
}
