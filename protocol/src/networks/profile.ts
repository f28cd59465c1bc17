import { z } from "zod";
import { agreementSchema } from "../documents/agreement.ts";
import { describeIssue } from "../documents/describe-issue.ts";
import { DocumentError } from "../documents/error.ts";
import { hashField } from "../documents/fields.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { toAddress } from "../primitives/address.ts";

/** Tag of a profile. */
export const PROFILE_SCHEMA = "assay/network/1";
/** Tag of a list of profiles, which the page reads at its start. */
export const NETWORKS_SCHEMA = "assay/networks/1";

const address = z.string().transform((text) => toAddress(text));
const url = z.url({ protocol: /^https?$/ });

const profileSchema = z.strictObject({
  schema: z.literal(PROFILE_SCHEMA),
  name: z.string().min(1).max(64),
  evm: z.strictObject({
    rpcUrl: url,
    chainId: z.int().positive(),
    escrow: address,
    startBlock: z.int().nonnegative().default(0),
    /** Pays for proven walks without a judge. */
    gate: address.optional(),
    /** A block explorer; `/tx/<hash>` and `/address/<address>` are put behind it. */
    explorer: url.optional(),
  }),
  /** Who judges agreements that are made here, unless the user says otherwise. */
  quorum: z
    .strictObject({ address, members: z.array(address).min(1), threshold: z.int().positive() })
    .optional(),
  adjudication: agreementSchema.shape.adjudication.optional(),
  /** The contract that decides the workflows of joint agreements, on the judge's network. */
  responsibility: z.strictObject({ contract: address, codeHash: hashField }).optional(),
  genLayerRpcUrl: url.optional(),
  operators: z.array(url).default([]),
  /** IPFS gateways, each a URL that ends in `/ipfs`. */
  gateways: z.array(url).default([]),
  /** Query URL of the subgraph. */
  index: url.optional(),
  /** Names of public development accounts, by their number; only on a local development chain. */
  developmentAccounts: z.record(z.string(), z.int().min(0).max(99)).optional(),
});

const networksSchema = z.strictObject({
  schema: z.literal(NETWORKS_SCHEMA),
  networks: z.array(profileSchema).min(1).max(20),
});

/** Where a network's parts are, and who judges there. */
export type Profile = z.infer<typeof profileSchema>;

/**
 * Reads a profile.
 *
 * @throws CanonicalJsonError when it is no JSON, DocumentError naming what is missing, unknown or malformed.
 */
export function parseProfile(source: Uint8Array | string): Profile {
  return read(profileSchema, source);
}

/**
 * Reads a list of profiles, the first of which is the default.
 *
 * @throws CanonicalJsonError when it is no JSON, DocumentError naming what is missing, unknown or malformed.
 */
export function parseNetworks(source: Uint8Array | string): readonly Profile[] {
  return read(networksSchema, source).networks;
}

function read<T>(schema: z.ZodType<T>, source: Uint8Array | string): T {
  const parsed = schema.safeParse(parseStrict(source), { reportInput: true });
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues.map(describeIssue);
  if (first === undefined) throw parsed.error;
  throw new DocumentError("invalid", [first, ...others]);
}
