import { useState } from "react";
import { useVenue } from "../acts/use-venue.ts";
import type { Venue } from "../acts/venue.ts";
import { Loading } from "../components/loading.tsx";
import { Notice } from "../components/notice.tsx";
import { useNow } from "../components/use-now.ts";
import { Page } from "../layout/page.tsx";
import { useNetwork } from "../network/context.tsx";
import { useHead } from "../network/head.tsx";
import { useWallet } from "../wallet/wallet.tsx";
import { compose, type Composed } from "./compose.ts";
import { emptyDraft } from "./draft.ts";
import { FundStep } from "./fund-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { useKeptDraft } from "./use-draft.ts";
import { WriteStep } from "./write-step.tsx";
import "./buyer.css";

const STEPS = [
  ["write", "Write"],
  ["review", "Review"],
  ["fund", "Fund"],
] as const;
type Step = (typeof STEPS)[number][0];

/** Writing, reviewing and funding an agreement. */
export default function NewAgreementPage() {
  const venue = useVenue();
  return (
    <Page
      title="New agreement"
      lead={
        <p className="lead prose">
          Say what has to be delivered and how it is judged, lock the reward, and pay only for work that
          passes.
        </p>
      }
    >
      {venue === undefined ? (
        <Loading what="the escrow’s token" lines={8} />
      ) : venue === null ? (
        <Notice tone="warn" title="Nobody judges here">
          <p>
            This network’s configuration names no operators and no judge, so no agreement can be drawn up on
            it. Choose another network, or add them to <code>assay.json</code>.
          </p>
        </Notice>
      ) : (
        <Steps venue={venue} />
      )}
    </Page>
  );
}

function Steps({ venue }: { readonly venue: Venue }) {
  const { profile } = useNetwork();
  const { account } = useWallet();
  const { draft, wasKept, change, replace } = useKeptDraft(profile.name);
  const [step, setStep] = useState<Step>("write");
  const [signing, setSigning] = useState<Composed | null>(null);
  const now = useChainTime();
  const { composed, problems } = compose(draft, venue, account, now);
  // Once it is being paid for, nothing that is signed may change under the buyer's hands.
  const shown = step === "fund" ? signing : composed;

  const go = (next: Step): void => {
    setSigning(next === "fund" ? composed : null);
    setStep(next);
    window.scrollTo({ top: 0 });
  };

  return (
    <>
      <ol className="progress" aria-label="Steps">
        {STEPS.map(([name, title]) => (
          <li key={name} aria-current={name === step ? "step" : undefined}>
            {title}
          </li>
        ))}
      </ol>
      {step === "write" && (
        <WriteStep
          venue={venue}
          draft={draft}
          wasKept={wasKept}
          problems={problems}
          onChange={change}
          onReplace={replace}
          onReview={() => go("review")}
        />
      )}
      {step === "review" && (
        <ReviewStep
          venue={venue}
          composed={composed}
          problems={problems}
          onBack={() => go("write")}
          onFund={() => go("fund")}
        />
      )}
      {step === "fund" && shown !== null && (
        <FundStep
          venue={venue}
          composed={shown}
          onBack={() => go("review")}
          onFunded={() => replace(emptyDraft())}
        />
      )}
    </>
  );
}

/** The chain's clock, which its contracts go by; this machine's until the chain has told. */
export function useChainTime(): number {
  const machine = useNow();
  const head = useHead().value;
  return head === undefined ? machine : Math.max(head.timestamp, 0);
}
