import { COLLECTIONS } from "./entities.ts";
import { IndexError } from "./error.ts";
import { isHex, isObject, parseEntity } from "./parse.ts";
import type { Collection, Entity, Field, Hex } from "./types.ts";

/** The most that graph-node returns at once. */
const PAGE = 1000;
/** A reorganisation under a question means that it has to be asked again; this often, and no more. */
const ATTEMPTS = 3;
const TIMEOUT_MILLISECONDS = 15_000;

/** The block that an answer speaks for. */
export interface IndexedBlock {
  number: number;
  hash: Hex;
  /** Unix seconds; null when the index does not say. */
  timestamp: number | null;
}

/** Entities, and the block at which they were so. */
export interface Answer<Found> {
  block: IndexedBlock;
  found: Found;
}

export interface IndexClientParameters {
  /** The subgraph's query URL. */
  url: string;
  /**
   * The hash of a block on the chain, undefined where there is none. With it, an index that stands on a block that
   * the chain does not have is found out; without it, such an index passes for healthy.
   */
  hashOf?: (blockNumber: number) => Promise<string | undefined>;
}

export interface Question {
  /** A filter as the subgraph's GraphQL takes it, such as `{ status: "RELEASED", reward_gt: "0" }`. */
  where?: Record<string, unknown>;
  /** The block that the index must have reached. */
  atLeast?: number;
}

/** Asks an Assay subgraph. Every method rejects with an {@link IndexError} rather than answer in part. */
export interface IndexClient {
  /** The block that the index has reached, once it is known to be healthy and on the chain. */
  head(atLeast?: number): Promise<IndexedBlock>;
  /** All entities that match, of one block, however many there are, in the order of their ids. */
  all<Name extends Collection, Asked extends Field<Name>>(
    collection: Name,
    fields: readonly Asked[],
    question?: Question,
  ): Promise<Answer<Entity<Name, Asked>[]>>;
  /** The first entities by a field, greatest first; at most {@link PAGE}. */
  greatest<Name extends Collection, Asked extends Field<Name>>(
    collection: Name,
    by: Field<Name>,
    fields: readonly Asked[],
    limit: number,
  ): Promise<Answer<Entity<Name, Asked>[]>>;
  /** One entity, or undefined when there is none. */
  one<Name extends Collection, Asked extends Field<Name>>(
    collection: Name,
    id: Hex,
    fields: readonly Asked[],
    question?: Pick<Question, "atLeast">,
  ): Promise<Answer<Entity<Name, Asked> | undefined>>;
}

/**
 * A client of one subgraph.
 *
 * @example
 * ```ts
 * const index = createIndexClient({ url, hashOf: async (number) => (await provider.getBlock(number))?.hash ?? undefined });
 * const { block, found } = await index.all("agreements", ["id", "status", "reward"], { where: { seller } });
 * ```
 */
export function createIndexClient({ url, hashOf }: IndexClientParameters): IndexClient {
  const head = async (atLeast = 0): Promise<IndexedBlock> => {
    const { _meta: meta } = await ask(
      url,
      "{ _meta { block { number hash timestamp } hasIndexingErrors } }",
      {},
    );
    const { block, hasIndexingErrors } = isObject(meta) ? meta : {};
    if (!isObject(block) || typeof block["number"] !== "number" || !isHex(block["hash"])) {
      throw new IndexError("MALFORMED", `The index does not say where it stands: ${JSON.stringify(meta)}`);
    }
    const { number, hash } = { number: block["number"], hash: block["hash"] };
    const timestamp = typeof block["timestamp"] === "number" ? block["timestamp"] : null;
    if (hasIndexingErrors !== false) {
      throw new IndexError("FAILING", `The index stopped at block ${number}: a handler failed`);
    }
    if (number < atLeast) {
      throw new IndexError("BEHIND", `The index stands at block ${number}, before block ${atLeast}`);
    }
    const onChain = await hashOf?.(number);
    if (hashOf !== undefined && onChain !== hash) {
      throw new IndexError(
        "OFF_CHAIN",
        `The index stands on block ${number} with hash ${hash}, where the chain has ${onChain ?? "none"}`,
      );
    }
    return { number, hash, timestamp };
  };

  /** Asks at the index's block, again when the chain was reorganised under the question. */
  const atHead = async <Found>(
    question: (block: IndexedBlock) => Promise<Found>,
    atLeast?: number,
  ): Promise<Answer<Found>> => {
    for (let attempt = 1; ; attempt++) {
      const block = await head(atLeast);
      try {
        return { block, found: await question(block) };
      } catch (error) {
        // Refused at a block that it had a moment ago: the chain was reorganised under the question.
        const moved =
          error instanceof IndexError &&
          error.code === "REFUSED" &&
          (await head(atLeast)).hash !== block.hash;
        if (!moved || attempt === ATTEMPTS) throw error;
      }
    }
  };

  const all: IndexClient["all"] = (collection, fields, { where = {}, atLeast } = {}) =>
    atHead((block) => pages(url, collection, fields, where, block), atLeast);

  return {
    head,
    all,
    greatest: (collection, by, fields, limit) =>
      atHead((block) => greatest(url, collection, by, fields, Math.min(limit, PAGE), block)),
    one: async (collection, id, fields, question = {}) => {
      const { block, found } = await all(collection, fields, {
        ...question,
        where: { id: id.toLowerCase() },
      });
      return { block, found: found[0] };
    },
  };
}

async function pages<Name extends Collection, Asked extends Field<Name>>(
  url: string,
  collection: Name,
  fields: readonly Asked[],
  where: Record<string, unknown>,
  block: IndexedBlock,
): Promise<Entity<Name, Asked>[]> {
  const { type } = COLLECTIONS[collection];
  const query = `query Page($where: ${type}_filter!, $block: Block_height!) {
    page: ${collection}(first: ${PAGE}, orderBy: id, where: $where, block: $block) { ${selectionOf(collection, fields)} }
  }`;
  const found: Entity<Name, Asked>[] = [];
  for (let after: unknown = "0x"; ;) {
    const variables = { where: { and: [where, { id_gt: after }] }, block: { hash: block.hash } };
    const { page } = await ask(url, query, variables);
    if (!Array.isArray(page)) throw new IndexError("MALFORMED", `${collection} is no list`);
    found.push(...page.map((raw) => parseEntity(collection, fields, raw)));
    if (page.length < PAGE) return found;
    after = (page.at(-1) as { id: unknown }).id;
  }
}

async function greatest<Name extends Collection, Asked extends Field<Name>>(
  url: string,
  collection: Name,
  by: Field<Name>,
  fields: readonly Asked[],
  limit: number,
  block: IndexedBlock,
): Promise<Entity<Name, Asked>[]> {
  const query = `query Greatest($first: Int!, $block: Block_height!) {
    page: ${collection}(first: $first, orderBy: ${by}, orderDirection: desc, block: $block) {
      ${selectionOf(collection, fields)}
    }
  }`;
  const { page } = await ask(url, query, { first: limit, block: { hash: block.hash } });
  if (!Array.isArray(page)) throw new IndexError("MALFORMED", `${collection} is no list`);
  return page.map((raw) => parseEntity(collection, fields, raw));
}

function selectionOf<Name extends Collection>(collection: Name, fields: readonly Field<Name>[]): string {
  const kinds = COLLECTIONS[collection].fields as Record<string, string>;
  return ["id", ...fields]
    .map((field) => (kinds[field]?.startsWith("Reference") === true ? `${field} { id }` : field))
    .join(" ");
}

/** One GraphQL question; its `data`. */
async function ask(
  url: string,
  query: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  let answer: unknown;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    answer = await response.json();
  } catch (cause) {
    throw new IndexError("UNREACHABLE", `The index does not answer at ${url}`, { cause });
  }
  const { data, errors } = isObject(answer) ? answer : {};
  if (Array.isArray(errors) && errors.length > 0) {
    const messages = errors.map((error) => (isObject(error) ? String(error["message"]) : String(error)));
    const failing = messages.includes("indexing_error");
    throw new IndexError(failing ? "FAILING" : "REFUSED", `The index answered: ${messages.join("; ")}`);
  }
  if (!isObject(data)) throw new IndexError("MALFORMED", "The index answered without data");
  return data;
}
