import { useCallback, useMemo, useRef, useState } from "react";
import type { Venue } from "../acts/venue.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { useWallet } from "../wallet/wallet.tsx";
import type { Problem } from "./compose.ts";
import type { Draft } from "./draft.ts";
import { errorAt, FormContext, type Form } from "./form.tsx";
import { JudgesSection } from "./judges-section.tsx";
import { ProblemList } from "./problem-list.tsx";
import { RequirementsSection } from "./requirements-section.tsx";
import { StartSection } from "./start-section.tsx";
import { DeadlinesSection, NoVerdictSection, PartiesSection } from "./terms-section.tsx";
import { useBalance } from "./use-balance.ts";
import { WorkSection } from "./work-section.tsx";

/** The form. */
export function WriteStep({
  venue,
  draft,
  wasKept,
  problems,
  onChange,
  onReplace,
  onReview,
}: {
  readonly venue: Venue;
  readonly draft: Draft;
  readonly wasKept: boolean;
  readonly problems: readonly Problem[];
  readonly onChange: (over: Partial<Draft>) => void;
  readonly onReplace: (draft: Draft) => void;
  readonly onReview: () => void;
}) {
  const { account } = useWallet();
  const balance = useBalance(venue, account);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setIsTried] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const touch = useCallback(
    (field: string) => setTouched((before) => (before.has(field) ? before : new Set([...before, field]))),
    [],
  );
  const form = useMemo(
    (): Form => ({
      draft,
      change: onChange,
      touch,
      errorOf: (field) => (isTried || touched.has(field) ? errorAt(problems, field) : null),
    }),
    [draft, onChange, touch, isTried, touched, problems],
  );
  const review = (): void => {
    if (problems.length === 0) {
      onReview();
      return;
    }
    setIsTried(true);
    requestAnimationFrame(() => list.current?.focus());
  };
  return (
    <FormContext value={form}>
      <form
        className="stack-loose"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          review();
        }}
      >
        <StartSection
          wasKept={wasKept}
          onReplace={(next) => {
            onReplace(next);
            setTouched(new Set());
            setIsTried(false);
          }}
        />
        <WorkSection />
        <RequirementsSection />
        <PartiesSection token={venue.token} balance={balance} />
        <DeadlinesSection />
        <NoVerdictSection token={venue.token} />
        <JudgesSection venue={venue} />
        {isTried && problems.length > 0 && (
          <div ref={list} tabIndex={-1}>
            <ProblemList problems={problems} />
          </div>
        )}
        {isTried && problems.length === 0 && <Notice tone="pass" title="Nothing is wrong any more" />}
        <div className="row">
          <Button kind="primary" type="submit">
            Review
          </Button>
          <span className="muted" role="status">
            {problems.length === 0
              ? "Complete. Nothing is signed or sent yet."
              : `${problems.length} ${problems.length === 1 ? "thing is" : "things are"} still missing or wrong. The draft is kept in this browser.`}
          </span>
        </div>
      </form>
    </FormContext>
  );
}
