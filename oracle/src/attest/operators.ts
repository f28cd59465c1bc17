import { readFile } from "node:fs/promises";
import { isHash, type Address, type Hex } from "@assay/protocol";
import { z } from "zod";
import { Endpoint, type OperatorConfig } from "../config/index.ts";
import type { Logger } from "../observe/logger.ts";
import { readBounded, wireAddress } from "../rpc/index.ts";
import type { Store } from "../store/index.ts";

/** Schema tag of operators.json. */
export const OPERATORS_SCHEMA = "assay/operators/1";
/** Where the store keeps the last list that was read from elsewhere. */
const COPY_KEY = "operators";
const TIMEOUT_MILLISECONDS = 10_000;
/** Bytes of a list that are read at most. */
const MAX_BYTES = 262_144;

/** One member of a set, as it announces itself. Public. */
export interface AnnouncedOperator {
  /** Its attester. */
  readonly address: Address;
  /** Base URL of its HTTP API; null when it can't be asked. */
  readonly url: string | null;
  readonly name?: string | undefined;
  readonly notes?: string | undefined;
}

/** The operators of a set and where each of them can be asked. It adds nothing to whom a set trusts. */
export interface OperatorList {
  readonly schema: typeof OPERATORS_SCHEMA;
  /** The EVM chain and the VerdictQuorum for which the set signs. */
  readonly chainId: number;
  readonly quorum: Address;
  readonly threshold: number;
  /** keccak-256 of the ABI-encoded members and threshold, as agreements name the set. */
  readonly adjudicatorConfig: Hex;
  readonly members: readonly AnnouncedOperator[];
}

/** operators.json can't be used: something in it has to be changed. */
export class OperatorListError extends Error {
  override name = "OperatorListError";
  readonly problems: readonly string[];

  constructor(place: string, problems: readonly string[]) {
    super(
      `the operator list ${place} can't be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

/** operators.json could not be fetched, and no earlier copy is here. Starting again may help. */
export class OperatorListUnavailableError extends Error {
  override name = "OperatorListUnavailableError";
}

/** It is published, so it may hold nothing but a place. */
const baseUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).refine((text) => {
  const { username, password, search, hash } = new URL(text);
  return username === "" && password === "" && search === "" && hash === "";
}, "must be a base URL without user, query or fragment");

const line = (length: number) =>
  z
    .string()
    .max(length)
    // Control characters would let a name rewrite somebody's terminal.
    .regex(/^\P{Cc}*$/u, "must not hold control characters");

const listSchema = z.strictObject({
  schema: z.literal(OPERATORS_SCHEMA),
  chainId: z.int().positive(),
  quorum: wireAddress,
  threshold: z.int().positive(),
  adjudicatorConfig: z.string().refine(isHash, "must be 0x and 64 lower-case hexadecimal digits"),
  members: z
    .array(
      z.strictObject({
        address: wireAddress,
        url: baseUrl.nullable().default(null),
        name: line(100).optional(),
        notes: line(1_000).optional(),
      }),
    )
    .min(1)
    .max(100),
});

/**
 * Reads an operator list that has to be about the configured set.
 *
 * @param place for messages.
 * @throws OperatorListError with everything that is wrong.
 */
export function parseOperatorList(text: string, config: OperatorConfig, place: string): OperatorList {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new OperatorListError(place, ["it is no JSON"]);
  }
  const parsed = listSchema.safeParse(content);
  if (!parsed.success)
    throw new OperatorListError(
      place,
      parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`),
    );
  const problems = differences(parsed.data, config);
  if (problems.length > 0) throw new OperatorListError(place, problems);
  return parsed.data;
}

/** A list about another set must not decide whom this operator asks. */
function differences(list: OperatorList, { evm, members }: OperatorConfig): readonly string[] {
  const listed = list.members.map(({ address }) => address);
  const missing = members.addresses.filter((address) => !listed.includes(address));
  const foreign = listed.filter((address) => !members.addresses.includes(address));
  return [
    ...(list.chainId === evm.chainId
      ? []
      : [`chainId is ${list.chainId}, ASSAY_EVM_CHAIN_ID is ${evm.chainId}`]),
    ...(list.quorum === evm.quorum ? [] : [`quorum is ${list.quorum}, ASSAY_QUORUM is ${evm.quorum}`]),
    ...(list.threshold === members.threshold
      ? []
      : [`threshold is ${list.threshold}, ASSAY_QUORUM_THRESHOLD is ${members.threshold}`]),
    ...missing.map((address) => `members lacks ${address} of ASSAY_QUORUM_MEMBERS`),
    ...foreign.map((address) => `members has ${address}, which ASSAY_QUORUM_MEMBERS lacks`),
    ...(new Set(listed).size === listed.length ? [] : ["members names an address twice"]),
    ...(list.adjudicatorConfig === members.configHash
      ? []
      : [`adjudicatorConfig is ${list.adjudicatorConfig}, the configured set's is ${members.configHash}`]),
  ];
}

/** The list that follows from the configuration alone: every member, and nobody's place. */
export function bareOperatorList({ evm, members }: OperatorConfig): OperatorList {
  return {
    schema: OPERATORS_SCHEMA,
    chainId: evm.chainId,
    quorum: evm.quorum,
    threshold: members.threshold,
    adjudicatorConfig: members.configHash,
    members: members.addresses.map((address) => ({ address, url: null })),
  };
}

/**
 * The set's operator list: the configured file's, or one without places when no file is configured. A document that
 * can't be fetched is replaced by the last one that could, so that a restart does not hang on somebody's web server.
 *
 * @throws OperatorListError when the file is about another set or malformed, OperatorListUnavailableError when it can't
 *   be fetched and never was.
 */
export async function loadOperatorList(
  config: OperatorConfig,
  store: Store,
  logger: Logger,
): Promise<OperatorList> {
  const { operatorsFile } = config;
  if (operatorsFile === null) return bareOperatorList(config);
  if (typeof operatorsFile === "string")
    return parseOperatorList(await readText(operatorsFile), config, operatorsFile);
  const { origin } = operatorsFile;
  const fetched = await fetchText(operatorsFile);
  if (fetched !== null) {
    const list = parseOperatorList(fetched, config, `of ${origin}`);
    await store.setMeta(COPY_KEY, fetched);
    return list;
  }
  const copy = await store.meta(COPY_KEY);
  if (copy === null)
    throw new OperatorListUnavailableError(`the operator list of ${origin} could not be fetched`);
  logger.warn({ origin }, "Could not fetch the operator list, going on with the last copy");
  return parseOperatorList(copy, config, `of ${origin}, as it was fetched last`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new OperatorListError(path, [`it can't be read (${code})`]);
  }
}

async function fetchText(endpoint: Endpoint): Promise<string | null> {
  try {
    const response = await fetch(endpoint.url.reveal(), {
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    const bytes = response.ok ? await readBounded(response, MAX_BYTES) : null;
    return bytes === null ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

/** A fellow operator to ask, and the member that announced it; null when it was named without one. */
export interface Peer {
  readonly endpoint: Endpoint;
  readonly member: Address | null;
}

/** Whom this operator asks: the members of the list that announce a place, or the peers named one by one. */
export function peersOf(config: OperatorConfig, list: OperatorList): readonly Peer[] {
  const announced = list.members.flatMap(({ address, url }) =>
    url === null || address === config.keys.attester.address
      ? []
      : [{ endpoint: new Endpoint(new URL(url)), member: address }],
  );
  return [...announced, ...config.peers.map((endpoint) => ({ endpoint, member: null }))];
}
