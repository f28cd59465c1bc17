import type { Address, Hex } from "@assay/protocol";
import { SignedOtherwiseError } from "../errors.ts";
import type { AttestationRow, SignedVerdict, SubmissionKey, VerdictRow } from "../rows.ts";
import { text } from "./columns.ts";
import { all, get, run, type Script } from "./script.ts";

export function* readSigned(escrow: Address, key: SubmissionKey): Script<SignedVerdict | null> {
  const row = yield* get(
    "SELECT * FROM signed WHERE escrow = ? AND agreement_id = ? AND submission_hash = ?",
    [escrow, key.agreementId, key.submissionHash],
  );
  return row === undefined
    ? null
    : {
        escrow: text(row, "escrow") as Address,
        key,
        digest: text(row, "digest") as Hex,
        operator: text(row, "operator") as Address,
        verdict: text(row, "verdict"),
        record: text(row, "record"),
        signature: text(row, "signature") as Hex,
      };
}

/** Signs once: of two workers that come here together, the database lets one in. @throws SignedOtherwiseError */
export function* insertSigned(signed: SignedVerdict, at: number): Script<void> {
  const added = yield* run(
    `INSERT INTO signed (escrow, agreement_id, submission_hash, digest, operator, verdict, record, signature, signed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      signed.escrow,
      signed.key.agreementId,
      signed.key.submissionHash,
      signed.digest,
      signed.operator,
      signed.verdict,
      signed.record,
      signed.signature,
      at,
    ],
  );
  if (added > 0) return;
  const existing = yield* readSigned(signed.escrow, signed.key);
  if (existing?.digest !== signed.digest)
    throw new SignedOtherwiseError(existing?.digest ?? "nothing readable");
}

export function* readAttestations(key: SubmissionKey): Script<readonly AttestationRow[]> {
  const rows = yield* all(
    "SELECT * FROM attestations WHERE agreement_id = ? AND submission_hash = ? ORDER BY operator",
    [key.agreementId, key.submissionHash],
  );
  return rows.map((row) => ({
    digest: text(row, "digest") as Hex,
    operator: text(row, "operator") as Address,
    key,
    signature: text(row, "signature") as Hex,
  }));
}

export function* insertAttestation(attestation: AttestationRow, at: number): Script<void> {
  yield* run(
    `INSERT INTO attestations (digest, operator, agreement_id, submission_hash, signature, received_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      attestation.digest,
      attestation.operator,
      attestation.key.agreementId,
      attestation.key.submissionHash,
      attestation.signature,
      at,
    ],
  );
}

export function* readVerdict(verdictHash: Hex): Script<VerdictRow | null> {
  const row = yield* get("SELECT * FROM verdicts WHERE verdict_hash = ?", [verdictHash]);
  return row === undefined
    ? null
    : {
        key: {
          agreementId: text(row, "agreement_id") as Hex,
          submissionHash: text(row, "submission_hash") as Hex,
        },
        verdictHash,
        record: text(row, "record"),
      };
}

export function* insertVerdict(verdict: VerdictRow): Script<void> {
  yield* run(
    `INSERT INTO verdicts (verdict_hash, agreement_id, submission_hash, record) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [verdict.verdictHash, verdict.key.agreementId, verdict.key.submissionHash, verdict.record],
  );
}
