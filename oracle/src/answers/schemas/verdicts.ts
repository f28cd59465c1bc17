import { z } from "@hono/zod-openapi";
import { addressOut, bytesOut, hashOut } from "./values.ts";

/** A verdict record by its hash: what operators sign, and what anyone can recompute. */
export const verdictOut = z
  .object({
    verdictHash: hashOut,
    agreementId: hashOut,
    submissionHash: hashOut,
    record: z.record(z.string(), z.unknown()).openapi({
      description: "The verdict record; the Keccak-256 of its canonical JSON (RFC 8785) is verdictHash.",
    }),
    documents: z
      .object({ agreement: hashOut, submission: hashOut })
      .openapi({ description: "SHA-256 names of the documents judged, at /v1/documents." }),
  })
  .openapi("Verdict");

/** One operator's signature under a certificate. */
export const attestationOut = z
  .object({
    agreementId: hashOut,
    submissionHash: hashOut,
    operator: addressOut,
    digest: hashOut,
    signature: bytesOut,
    verdict: z.object({
      escrow: addressOut,
      agreementId: hashOut,
      submissionHash: hashOut,
      outcome: z.int().min(1).max(4),
      verdictHash: hashOut,
      judge: addressOut,
      judgeTx: hashOut,
      notAfter: z.int(),
    }),
    record: z.record(z.string(), z.unknown()),
    quorum: z.object({
      chainId: z.int(),
      address: addressOut,
      members: z.array(addressOut),
      threshold: z.int().min(1),
    }),
  })
  .openapi("Attestation");

export type VerdictView = z.infer<typeof verdictOut>;
export type AttestationView = z.infer<typeof attestationOut>;
