import { RESPONSIBILITY_VERDICTS, type ResponsibilityVerdict, type Role } from "@assay/protocol";
import type { Plan } from "../support/sim-genlayer.ts";
import type { Draws } from "./draws.ts";

const SECOND = 1_000;
/** Shares of the seeds in which a pair of joint agreements, or a job, is in the place of the first agreement. */
const JOINT_SHARE = 0.16;
const JOB_SHARE = 0.12;

interface AnyDeal {
  /** Milliseconds after the start at which it is funded. */
  readonly at: number;
  /** How the judge transactions that decide it end, in order; the last one repeats. */
  readonly judged: readonly Plan[];
  /** Operators that are given its documents. */
  readonly given: readonly number[];
}

/** An agreement of one seller in the escrow, or an ERC-8183 job. */
export interface SoleDeal extends AnyDeal {
  readonly kind: "agreement" | "job";
  /** Whether the submission's document never appears. */
  readonly withheld: boolean;
  /** The parties end it themselves, this long after the submission; null when they don't. */
  readonly conceded: number | null;
}

/** Both agreements of a joint document. A transaction that passes stores what the validators found. */
export interface JointDeal extends AnyDeal {
  readonly kind: "joint";
  /** What the first assessment finds. Any other one finds something else. */
  readonly verdict: ResponsibilityVerdict;
  /** How the transactions end that carry the agents' outputs, in order; the last one repeats. */
  readonly carried: readonly Plan[];
  /** Milliseconds by which side B submits later than side A. */
  readonly apart: number;
  /** What one side does instead of what it agreed to; null when both keep to it. */
  readonly breach: Breach | null;
}

export interface Breach {
  readonly role: Role;
  readonly by: "no submission" | "no document" | "another output" | "conceding";
  /** Milliseconds after its submission at which it concedes. */
  readonly after: number;
}

/** What happens to one piece of work. */
export type Deal = SoleDeal | JointDeal;

/** What one seed's buyers and sellers agree on. */
export function dealsOf(draws: Draws, operators: number): readonly Deal[] {
  const special = draws.chance("first");
  return Array.from({ length: draws.integer(1, 3, "deals") }, (_none, nth) => {
    const deal = soleDealOf(draws, nth, operators);
    if (nth > 0) return deal;
    if (special < JOINT_SHARE) return jointDealOf(draws, deal);
    return special < JOINT_SHARE + JOB_SHARE ? { ...deal, kind: "job", conceded: null } : deal;
  });
}

function soleDealOf(draws: Draws, nth: number, operators: number): SoleDeal {
  const judged = draws.pick<readonly Plan[]>(
    [
      ["PASS"],
      ["PASS"],
      ["FAIL"],
      ["UNDETERMINED", "PASS"],
      ["LEADER_TIMEOUT", "FAIL"],
      ["UNDETERMINED"],
      ["ERROR", "UNDETERMINED"],
      ["CANCELED", "PASS"],
      ["STUCK"],
    ],
    "judged",
    nth,
  );
  return {
    kind: "agreement",
    at: draws.integer(1, 60, "deal", nth) * SECOND,
    judged,
    withheld: draws.happens(0.12, "withheld", nth),
    given: [0, 1, 2].slice(0, draws.integer(1, operators, "given", nth)),
    conceded: draws.happens(0.1, "conceded", nth) ? draws.integer(5, 200, "conceded at", nth) * SECOND : null,
  };
}

function jointDealOf(draws: Draws, { at, given }: AnyDeal): JointDeal {
  const judged = draws.pick<readonly Plan[]>(
    [
      ["PASS"],
      ["PASS"],
      ["PASS"],
      ["UNDETERMINED", "PASS"],
      ["LEADER_TIMEOUT", "PASS"],
      ["ERROR", "UNDETERMINED", "PASS"],
      ["CANCELED", "PASS"],
      ["UNDETERMINED", "LEADER_TIMEOUT"],
      ["STUCK"],
    ],
    "assessed",
  );
  const breach: Breach = {
    role: draws.pick(["A", "B"] as const, "breach", "role"),
    by: draws.pick(
      ["no submission", "no document", "another output", "conceding", "conceding"] as const,
      "breach",
    ),
    after: draws.integer(5, 150, "breach", "after") * SECOND,
  };
  return {
    kind: "joint",
    at,
    given,
    judged,
    verdict: draws.pick(RESPONSIBILITY_VERDICTS, "verdict"),
    carried: draws.pick<readonly Plan[]>(
      [["PASS"], ["PASS"], ["UNDETERMINED", "PASS"], ["CANCELED", "PASS"]],
      "carried",
    ),
    apart: draws.integer(-45, 45, "apart") * SECOND,
    breach: draws.happens(0.4, "whether breach") ? breach : null,
  };
}
