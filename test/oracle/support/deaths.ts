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

/** Both sides of an effect, at each of these passages. */
export function around(effect: string, ...passages: readonly number[]): readonly Death[] {
  return (passages.length === 0 ? [1] : passages).flatMap((passage): Death[] => [
    [`${effect}.done` as Boundary, passage],
    [`${effect}.committed` as Boundary, passage],
  ]);
}

/** Around the reading of the chain. */
export const READING: readonly Death[] = [
  ["ingest.read", 1],
  ["ingest.committed", 1],
  ["ingest.committed", 3],
];

/** Both sides of every effect that an ending passes, the second passage where the first is another effect. */
export function deathsOf({ outcome, plans }: Ending): readonly Death[] {
  return [
    ...READING,
    ...around("anchor"),
    ...around("collectDocuments"),
    // The first passage journals the send, the second sends it.
    ...(plans.length > 0 ? [...around("relay", 1, 2), ...around("findJudgeTransaction")] : []),
    // The first passage is ACCEPTED or final, the second final.
    ...(plans.length > 0 ? around("readJudge") : []),
    ...(outcome === "UNDETERMINED" ? [...around("countRounds", 1, 2), ...around("relay", 3)] : []),
    ...around("attest"),
    ...around("collectAttestations"),
    ...around("prepareSettlement"),
    ...around("broadcastSettlement"),
    ...around("confirmSettlement"),
  ];
}
