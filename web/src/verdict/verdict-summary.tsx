import { Link } from "wouter";
import { Amount } from "../components/amount.tsx";
import { Hallmark } from "../agreement/hallmark.tsx";
import { outcomeOf } from "../agreement/situation.ts";
import type { AgreementView } from "../agreement/view.ts";
import { jointOutcomeInWords } from "../joint/decision.ts";

/** What was decided and who was paid, once an agreement has ended. */
export function VerdictSummary({ view }: { readonly view: AgreementView }) {
  const { ending } = view.file.history;
  if (ending === null) return null;
  const outcome = outcomeOf(view);
  return (
    <section className="verdict-summary" aria-label="How it ended">
      {outcome !== null && <Hallmark outcome={outcome} words={jointOutcomeInWords(view.file, outcome)} />}
      <p className="paid">
        <Paid view={view} />
      </p>
      {ending.verdictHash !== null && (
        <p className="no-print">
          <Link href={`/verdict/${ending.verdictHash}`}>The verdict, to print</Link> ·{" "}
          <a href="#recompute">Recompute it</a>
        </p>
      )}
    </section>
  );
}

/** Where the money went. */
export function Paid({ view: { status, terms, file } }: { readonly view: AgreementView }) {
  const { reward } = terms;
  if (status === "Released")
    return (
      <>
        <Amount value={reward} /> went to the seller.
      </>
    );
  if (status === "Refunded")
    return (
      <>
        <Amount value={reward} /> went back to the buyer.
      </>
    );
  const toSeller = file.history.ending?.sellerAmount ?? 0n;
  return (
    <>
      <Amount value={toSeller} /> went to the seller, <Amount value={reward - toSeller} /> to the buyer.
    </>
  );
}
