import { z } from "@hono/zod-openapi";
import { CHECK_TYPES } from "@assay/protocol";
import { addressIn, addressOut, countOut, hashIn, hashOut } from "./values.ts";

const looseDocument = z.record(z.string(), z.unknown());

export const previewIn = z
  .strictObject({
    agreement: looseDocument.openapi({
      description: "A draft of an agreement document (assay/agreement/1).",
    }),
    submission: looseDocument.optional().openapi({
      description: "A draft of a submission document (assay/submission/1), if there is one yet.",
    }),
    agreementId: hashIn.optional().openapi({
      description: "The agreement's id, which reporters sign for; the submission's own when left out.",
    }),
    parties: z
      .strictObject({ buyer: addressIn, seller: addressIn })
      .optional()
      .openapi({ description: "Buyer and seller, to find reporters and judges in their own case." }),
  })
  .openapi("PreviewRequest");

const issueOut = z
  .object({ path: z.string(), message: z.string(), hint: z.string() })
  .openapi("DocumentIssue");

const documentOut = z
  .object({
    valid: z.boolean(),
    hash: hashOut.nullable().openapi({ description: "SHA-256 of the canonical bytes; null when not valid." }),
    cid: z.string().nullable().openapi({ description: "The same as an IPFS CIDv1." }),
    bytes: countOut.openapi({ description: "Length of the canonical bytes." }),
    limit: countOut.openapi({ description: "Most bytes that such a document may have." }),
    issues: z.array(issueOut),
  })
  .openapi("DocumentPreview");

export const previewOut = z
  .object({
    agreement: documentOut,
    submission: documentOut.nullable(),
    checks: z.array(
      z.object({
        id: z.string(),
        check: z.enum(CHECK_TYPES),
        decidedBy: z.enum(["code", "validators"]).openapi({
          description: "code: certain now. validators: each of them asks the web for itself at judging time.",
        }),
        passed: z.boolean().nullable(),
        detail: z.string(),
      }),
    ),
    model: z.object({
      requirements: z
        .array(z.object({ id: z.string(), text: z.string() }))
        .openapi({ description: "What the validators' models would be asked." }),
      called: z.boolean().nullable().openapi({
        description: "Whether a model is asked at all: a failed check decides FAIL without one.",
      }),
      shows: z
        .array(
          z.object({
            kind: z.enum(["file", "evidence", "link", "summary"]),
            name: z.string(),
            bytes: countOut,
            framedCharacters: countOut.nullable(),
            shownCharacters: countOut.nullable(),
            cut: z.boolean().nullable(),
          }),
        )
        .openapi({
          description:
            "The untrusted texts, in the prompt's order, as JSON in ASCII, and how much of each fits. A link's text is known only at judging time.",
        }),
      budget: countOut.openapi({ description: "Characters that all untrusted texts share." }),
      trusted: z
        .object({
          agreement: z.object({ title: z.string(), task: z.string(), evidenceRequired: z.array(z.string()) }),
          decidedByCode: z.record(z.string(), z.enum(["PASS", "FAIL"])),
        })
        .nullable()
        .openapi({
          description:
            "What the prompt's trusted part takes from the agreement, besides the judge's own rules and the requirements.",
        }),
    }),
    outlook: z.enum(["fails", "needs_judgement", "passes", "no_submission", "invalid"]).openapi({
      description:
        "fails: a check decides FAIL. passes: every requirement is decided by code and holds. needs_judgement: models or the web decide the rest.",
    }),
    judge: z
      .object({
        network: z.string(),
        contract: z.string(),
        relayersKnown: z.boolean().openapi({ description: "Whether this operator is one of the relayers." }),
        operator: addressOut,
      })
      .nullable(),
    warnings: z.array(z.string()),
  })
  .openapi("Preview");

export type PreviewRequest = z.infer<typeof previewIn>;
export type PreviewView = z.infer<typeof previewOut>;
