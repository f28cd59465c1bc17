import type { StatusName } from "@assay/protocol";
import type { AgreementStatus } from "@assay/subgraph";
import { Badge, type Tone } from "../components/badge.tsx";

const TONES: Readonly<Record<StatusName, Tone>> = {
  None: "neutral",
  Funded: "info",
  Accepted: "info",
  Submitted: "info",
  Released: "pass",
  Refunded: "neutral",
  Split: "warn",
};

const WORDS: Readonly<Record<StatusName, string>> = {
  None: "Unknown",
  Funded: "Funded, not accepted yet",
  Accepted: "Accepted, delivery is due",
  Submitted: "Delivered, awaiting a verdict",
  Released: "Paid to the seller",
  Refunded: "Refunded to the buyer",
  Split: "Divided",
};

/** Where an agreement stands. */
export function StatusBadge({ status }: { readonly status: StatusName }) {
  return <Badge tone={TONES[status]}>{WORDS[status]}</Badge>;
}

/** The index's name for a status as the contract's. */
export function statusNameOf(status: AgreementStatus): StatusName {
  return `${status.charAt(0)}${status.slice(1).toLowerCase()}` as StatusName;
}
