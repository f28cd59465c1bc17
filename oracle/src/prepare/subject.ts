import { z } from "@hono/zod-openapi";
import { agreementIdOf, validateTerms, type Hex, type Terms } from "@assay/protocol";
import { termsIn } from "../answers/schemas/terms.ts";
import { hashIn } from "../answers/schemas/values.ts";
import type { Desk } from "./desk.ts";
import { PrepareError } from "./errors.ts";

/** An agreement with its terms. */
export interface Matter {
  readonly agreementId: Hex;
  readonly terms: Terms;
}

/** Names an agreement that was funded by its id, or any by its terms. */
export const subjectIn = {
  agreementId: hashIn.optional().openapi({ description: "An agreement that this operator has seen." }),
  terms: termsIn
    .optional()
    .openapi({ description: "The terms, when the operator has not seen the agreement." }),
} satisfies z.ZodRawShape;

/** Refuses a request that names no agreement, or two. */
export function oneSubject(
  { agreementId, terms }: { readonly agreementId?: unknown; readonly terms?: unknown },
  context: z.RefinementCtx,
): void {
  if ((agreementId === undefined) === (terms === undefined))
    context.addIssue({
      code: "custom",
      message: "give agreementId or terms, one of the two",
      path: ["agreementId"],
    });
}

/**
 * The agreement that a request is about.
 *
 * @throws PrepareError `agreement_unknown`
 */
export async function matterOf(
  desk: Desk,
  request: { readonly agreementId?: Hex | undefined; readonly terms?: Terms | undefined },
): Promise<Matter> {
  if (request.terms !== undefined) return idOf(desk, request.terms);
  const agreementId = request.agreementId ?? `0x${"00".repeat(32)}`;
  const terms = await desk.terms(agreementId);
  if (terms === null)
    throw new PrepareError(
      "agreement_unknown",
      "This operator has not seen such an agreement.",
      "Give the terms instead of the id, or wait until the funding block has been read.",
    );
  return { agreementId, terms };
}

/**
 * An agreement that is to be funded now.
 *
 * @throws PrepareError `terms_refused` with everything that the escrow would refuse.
 */
export async function newMatter(desk: Desk, terms: Terms): Promise<Matter> {
  const token = await desk.token();
  const problems = validateTerms(terms, desk.now(), { escrow: desk.escrow, token: token.address });
  if (problems.length > 0)
    throw new PrepareError(
      "terms_refused",
      `The escrow would refuse these terms: ${problems.map(({ message }) => message).join("; ")}.`,
      problems[0]?.hint ?? "Change the terms.",
      problems.map(({ member, message, hint }) => ({ path: member, message, hint })),
    );
  return idOf(desk, terms);
}

function idOf({ chainId, escrow }: Desk, terms: Terms): Matter {
  return { agreementId: agreementIdOf(terms, chainId, escrow), terms };
}
