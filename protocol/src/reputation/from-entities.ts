import { z } from "zod";
import { isSameAddress, toAddress } from "../primitives/address.ts";
import { toHash } from "../primitives/hex.ts";
import { OUTCOMES } from "../verdict/outcome.ts";
import type { AgreementFact, Ending } from "./agreement-fact.ts";
import { ReputationError } from "./error.ts";

/** Fields of the index's `Agreement` from which its facts are derived; of buyer, seller and conceder the id. */
export const AGREEMENT_FACT_FIELDS = [
  ...(["id", "buyer", "seller", "reward", "agreementHash"] as const),
  ...(["adjudicator", "adjudicatorConfig", "deliverBy"] as const),
  ...(["fundedAt", "acceptedAt", "submittedAt", "closedAt"] as const),
  ...(["cause", "outcome", "conceder", "sellerAmount"] as const),
] as const;

/** GraphQL gives big integers as decimal text; clients that know the schema, as bigints. */
const uint = (digits: number) =>
  z.union([
    z
      .string()
      .regex(/^(0|[1-9][0-9]*)$/)
      .max(digits)
      .transform(BigInt),
    z
      .bigint()
      .min(0n)
      .lt(10n ** BigInt(digits)),
  ]);
const amount = uint(78);
const time = uint(15).transform(Number);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => toAddress(text.toLowerCase()));
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(toHash);
const party = z.object({ id: address }).transform(({ id }) => id);

const entitySchema = z.object({
  id: hash,
  buyer: party,
  seller: party,
  reward: amount,
  agreementHash: hash,
  adjudicator: address,
  adjudicatorConfig: hash,
  deliverBy: time,
  fundedAt: time,
  acceptedAt: time.nullable(),
  submittedAt: time.nullable(),
  closedAt: time.nullable(),
  cause: z.enum(["VERDICT", "CANCELLED", "CONCEDED", "SETTLED", "NO_SUBMISSION", "NO_VERDICT"]).nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  conceder: party.nullable(),
  sellerAmount: amount.nullable(),
});

/** An agreement as the index answers with `AGREEMENT_FACT_FIELDS`; more fields do no harm. */
export type AgreementEntity = z.input<typeof entitySchema>;

type Entity = z.output<typeof entitySchema>;

/**
 * Derives agreements' facts from the index's entities.
 *
 * @param entities the answer as it came, every page of it, all pages read at one block.
 * @throws ReputationError `entity_malformed` when an entity does not have the schema's shape or contradicts itself,
 * `agreement_duplicated` when pages overlap.
 */
export function factsFromEntities(entities: Iterable<unknown>): AgreementFact[] {
  const facts = new Map<string, AgreementFact>();
  for (const raw of entities) {
    const fact = factOf(parse(raw));
    if (facts.has(fact.agreementId)) {
      throw new ReputationError(
        "agreement_duplicated",
        `The index returned agreement ${fact.agreementId} twice`,
        "Page by id (`id_gt`), not by `skip`, and read every page at the same block.",
      );
    }
    facts.set(fact.agreementId, fact);
  }
  return [...facts.values()];
}

function parse(raw: unknown): Entity {
  const result = entitySchema.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw malformed(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unreadable"}`);
}

function factOf(entity: Entity): AgreementFact {
  const { id, buyer, seller, reward, agreementHash, adjudicator, adjudicatorConfig, deliverBy } = entity;
  const { fundedAt, acceptedAt, submittedAt, closedAt, sellerAmount } = entity;
  const as = endingOf(entity);
  if ((as === null) !== (closedAt === null) || (as === null) !== (sellerAmount === null)) {
    throw malformed(`${id} has only some of cause, closedAt and sellerAmount`);
  }
  return {
    ...{ agreementId: id, buyer, seller, reward, agreementHash, adjudicator, adjudicatorConfig, deliverBy },
    ...{ fundedAt, acceptedAt, submittedAt },
    end:
      as === null || closedAt === null || sellerAmount === null ? null : { at: closedAt, as, sellerAmount },
  };
}

const VERDICTS = {
  PASS: "passed",
  FAIL: "failed",
  UNDETERMINED: "undetermined",
  WITHHELD: "withheld",
} as const satisfies Record<(typeof OUTCOMES)[number], Ending>;

function endingOf({ id, cause, outcome, conceder, buyer, acceptedAt }: Entity): Ending | null {
  switch (cause) {
    case null:
      return null;
    case "VERDICT":
      if (outcome === null) throw malformed(`${id} ended by a verdict without an outcome`);
      return VERDICTS[outcome];
    case "CANCELLED":
      return "cancelled";
    case "CONCEDED":
      if (conceder === null) throw malformed(`${id} was conceded by nobody`);
      if (isSameAddress(conceder, buyer)) return "concededByBuyer";
      return acceptedAt === null ? "declined" : "concededBySeller";
    case "SETTLED":
      return "settled";
    case "NO_SUBMISSION":
      return acceptedAt === null ? "lapsed" : "noShows";
    case "NO_VERDICT":
      return "unjudged";
  }
}

function malformed(what: string): ReputationError {
  return new ReputationError(
    "entity_malformed",
    `The index's agreement is malformed: ${what}`,
    "Ask for AGREEMENT_FACT_FIELDS of an index with this version's schema.",
  );
}
