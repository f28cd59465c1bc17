import type { Boundary } from "../../../oracle/src/index.ts";
import type { Plan } from "./sim-genlayer.ts";

/** A way for an agreement to end. */
export interface Ending {
  readonly outcome: "PASS" | "FAIL" | "UNDETERMINED" | "WITHHELD";
  /** Of the certificate. */
  readonly code: number;
  /** How its judge transactions end; none when it is never judged. */
  readonly plans: readonly Plan[];
}

export const ENDINGS: readonly Ending[] = [
  { outcome: "PASS", code: 1, plans: ["PASS"] },
  { outcome: "FAIL", code: 2, plans: ["FAIL"] },
  { outcome: "UNDETERMINED", code: 3, plans: ["UNDETERMINED", "LEADER_TIMEOUT"] },
  { outcome: "WITHHELD", code: 4, plans: [] },
];

/** A place to die: the boundary, and at which passage. */
export type Death = readonly [Boundary, number];

/** Both sides of every effect that an ending passes, the second passage where the first is another effect. */
export function deathsOf({ outcome, plans }: Ending): readonly Death[] {
  const sides = (effect: string, passage = 1): Death[] => [
    [`${effect}.done` as Boundary, passage],
    [`${effect}.committed` as Boundary, passage],
  ];
  return [
    ["ingest.read", 1],
    ["ingest.committed", 1],
    ["ingest.committed", 3],
    ...sides("anchor"),
    ...sides("collectDocuments"),
    // The first passage journals the send, the second sends it.
    ...(plans.length > 0 ? [...sides("relay"), ...sides("relay", 2), ...sides("findJudgeTransaction")] : []),
    // The first passage is ACCEPTED or final, the second final.
    ...(plans.length > 0 ? sides("readJudge") : []),
    ...(outcome === "UNDETERMINED"
      ? [...sides("countRounds"), ...sides("relay", 3), ...sides("countRounds", 2)]
      : []),
    ...sides("attest"),
    ...sides("collectAttestations"),
    ...sides("prepareSettlement"),
    ...sides("broadcastSettlement"),
    ...sides("confirmSettlement"),
  ];
}
