import { open, readFile, stat } from "node:fs/promises";
import { z } from "zod";
import {
  ProtocolError,
  adjudicatorConfigOf,
  agreementIdOf,
  documentHash,
  encodeDocument,
  isGated,
  parseAgreement,
  parseStrict,
  toAddress,
  toHash,
  type Address,
  type Agreement,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { UsageError } from "../errors.ts";

/** Tag of deal files. */
export const DEAL_SCHEMA = "assay/deal/1";

/** An agreement's document is at most 64 KiB; indented and with the terms it stays well below this. */
const MAX_BYTES = 512 * 1024;

const address = z.string().transform((text) => toAddress(text));
const hash = z.string().transform((text) => toHash(text));
const amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform(BigInt);

const dealSchema = z.strictObject({
  schema: z.literal(DEAL_SCHEMA),
  agreementId: hash,
  chainId: z.int().positive(),
  escrow: address,
  terms: z.strictObject({
    buyer: address,
    seller: address,
    reward: amount,
    agreementHash: hash,
    adjudicator: address,
    adjudicatorConfig: hash,
    deliverBy: z.int().nonnegative(),
    adjudicateBy: z.int().nonnegative(),
    noVerdictSellerBps: z.int().nonnegative(),
    salt: amount,
  }),
  /** Left out where an execution proof gate decides: what its configuration commits to is in the agreement. */
  quorum: z.strictObject({ members: z.array(address).min(1), threshold: z.int().positive() }).optional(),
  agreement: z.unknown(),
});

/** Who certifies verdicts: what `adjudicatorConfig` is the hash of. */
export interface QuorumMembers {
  readonly members: readonly Address[];
  readonly threshold: number;
}

/** Everything that buyer and seller have to hold: terms, document, and where they count. */
export interface Deal {
  readonly agreementId: Hex;
  readonly chainId: number;
  readonly escrow: Address;
  readonly terms: Terms;
  /** Null where an execution proof gate decides. */
  readonly quorum: QuorumMembers | null;
  readonly agreement: Agreement;
  /** The agreement's canonical bytes. */
  readonly document: Uint8Array;
}

/** Text of a deal file. */
export function writeDeal({ agreementId, chainId, escrow, terms, quorum, agreement }: Deal): string {
  const deal = {
    schema: DEAL_SCHEMA,
    agreementId,
    chainId,
    escrow,
    terms: { ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() },
    ...(quorum !== null && { quorum }),
    agreement,
  };
  return `${JSON.stringify(deal, null, 2)}\n`;
}

/**
 * Reads a deal file and recomputes everything in it: the document's hash, the quorum's, and the agreement's id.
 *
 * @throws UsageError naming what does not fit.
 */
export async function readDeal(path: string): Promise<Deal> {
  let value: unknown;
  try {
    value = parseStrict(await readBounded(path, MAX_BYTES));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw malformed(path, error.message, error);
  }
  const parsed = attempt(path, () => dealSchema.safeParse(value));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw malformed(path, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  const { agreement, quorum = null, ...deal } = parsed.data;
  const document = attempt(path, () => encodeDocument(agreement as Agreement));
  return checked(path, { ...deal, quorum, document, agreement: parseAgreement(document) });
}

/** Writes a file that is not there yet, whole. @throws UsageError when it is. */
export async function writeNewFile(path: string, content: string | Uint8Array): Promise<void> {
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new UsageError(
      isThere ? `${path} exists already` : `${path} can't be written`,
      isThere
        ? "Give another name with --out; nothing is overwritten."
        : "Check the folder and its permissions.",
      { cause: error },
    );
  }
}

/** A file's bytes. @throws UsageError when it can't be read or is larger than `limit` bytes. */
export async function readBounded(path: string, limit: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > limit) throw new UsageError(`${path} has ${size} bytes`, `At most ${limit} make sense here.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${path} can't be read`,
      "Check the path; an agreement can also be named by its id.",
      {
        cause: error,
      },
    );
  }
}

function checked(path: string, deal: Deal): Deal {
  const { terms, quorum, chainId, escrow, document, agreement } = deal;
  if (quorum === null && !isGated(terms, agreement))
    throw malformed(
      path,
      "it names no operators, and its terms do not commit to the agreement's steps either",
    );
  const claims: [what: string, found: Hex, computed: Hex][] = [
    ["terms.agreementHash", terms.agreementHash, documentHash(document)],
    ...(quorum === null
      ? []
      : [
          [
            "terms.adjudicatorConfig",
            terms.adjudicatorConfig,
            attempt(path, () => adjudicatorConfigOf(quorum.members, quorum.threshold)),
          ] as [string, Hex, Hex],
        ]),
    ["agreementId", deal.agreementId, attempt(path, () => agreementIdOf(terms, chainId, escrow))],
  ];
  for (const [what, found, computed] of claims)
    if (found !== computed)
      throw malformed(path, `${what} is ${found}, but what is in the file amounts to ${computed}`);
  return deal;
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw malformed(path, error.message, error);
  }
}

function malformed(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError(
    `${path} is no deal of \`assay agreement new\`: ${what}`,
    "Ask whoever sent it for the file again, as it was written.",
    { cause },
  );
}
