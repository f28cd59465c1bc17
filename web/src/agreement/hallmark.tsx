import type { Outcome } from "@assay/protocol";
import type { Tone } from "../components/badge.tsx";

interface Look {
  readonly tone: Tone;
  readonly words: string;
  /** Each outcome has a punch of its own shape, so that nobody needs its colour. */
  readonly punch: string;
  readonly sign: string;
}

const LOOKS: Readonly<Record<Outcome, Look>> = {
  PASS: {
    ...{ tone: "pass", words: "Pass: the work meets the agreement" },
    punch: "M14 3h20l11 11v20L34 45H14L3 34V14z",
    sign: "M14 25l7 7 14-15",
  },
  FAIL: {
    ...{ tone: "fail", words: "Fail: the work does not meet the agreement" },
    punch: "M4 4h40v40H4z",
    sign: "M15 15l18 18M33 15L15 33",
  },
  UNDETERMINED: {
    ...{ tone: "warn", words: "Undetermined: the validators could not agree" },
    punch: "M24 2l22 22-22 22L2 24z",
    sign: "M15 21h18M15 28h18",
  },
  WITHHELD: {
    ...{ tone: "hold", words: "Withheld: the delivery could not be had" },
    punch: "M24 3a21 21 0 1 0 .010 0z",
    sign: "M15 24h18",
  },
};

/** The mark that a verdict leaves, as assay offices punch theirs into metal. */
export function Hallmark({
  outcome,
  words = null,
}: {
  readonly outcome: Outcome;
  /** What the outcome means here, where it means something of its own. */
  readonly words?: string | null;
}) {
  const { tone, words: usual, punch, sign } = LOOKS[outcome];
  return (
    <p className={`hallmark ${tone}`}>
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <path d={punch} fill="currentColor" />
        <path d={sign} fill="none" stroke="var(--surface)" strokeWidth="5" />
      </svg>
      <span>{words ?? usual}</span>
    </p>
  );
}
