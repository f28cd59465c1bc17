import type { Venue } from "../acts/venue.ts";
import { TermsInWords } from "../acts/terms-in-words.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { dealFileOf } from "../acts/deal-file.ts";
import { SaveText } from "../acts/save-text.tsx";
import type { Composed, Problem } from "./compose.ts";
import { JudgeBadge, JudgeFacts } from "./judges-section.tsx";
import { ProblemList } from "./problem-list.tsx";

/** Everything in plain words, and the exact hashes of it. */
export function ReviewStep({
  venue,
  composed,
  problems,
  onBack,
  onFund,
}: {
  readonly venue: Venue;
  readonly composed: Composed | null;
  readonly problems: readonly Problem[];
  readonly onBack: () => void;
  readonly onFund: () => void;
}) {
  const back = <Button onClick={onBack}>Back to the form</Button>;
  if (problems.length > 0)
    return (
      <div className="stack">
        <ProblemList problems={problems} />
        <div className="row">{back}</div>
      </div>
    );
  if (composed === null)
    return (
      <Card title="Who pays">
        <NeedWallet purpose="to see the agreement in full: your account is one of its terms">
          {() => null}
        </NeedWallet>
        <div className="row">{back}</div>
      </Card>
    );
  const { agreement, terms, agreementId, document, sellerSignature } = composed;
  return (
    <div className="stack-loose">
      <Card title="What you agree to">
        <TermsInWords terms={terms} agreement={agreement} token={venue.token} role="buyer" />
      </Card>
      <Card title="Who judges" aside={<JudgeBadge network={agreement.adjudication.network} />}>
        <JudgeFacts venue={{ ...venue, adjudication: agreement.adjudication }} />
      </Card>
      <Card title="What is signed, exactly">
        <p className="prose">
          The agreement’s id is computed from every term and from the hash of the document. You pay with
          exactly this id; whoever changes a single letter gets another one, and your signature is worth
          nothing to it.
        </p>
        <Facts>
          <Fact term="Agreement’s id">
            <Hash value={agreementId} what="agreement id" whole />
          </Fact>
          <Fact term="Document">
            SHA-256 <Hash value={terms.agreementHash} what="document hash" whole />, {document.length} bytes
          </Fact>
          <Fact term="Operators’ configuration">
            <Hash value={terms.adjudicatorConfig} what="operators' configuration" whole />
          </Fact>
          <Fact term="Escrow">
            <Hash value={venue.escrow} what="escrow" whole /> on chain {venue.chainId}
          </Fact>
          <Fact term="Seller’s consent">
            {sellerSignature === null
              ? "Comes later: the seller accepts, or delivers."
              : "Given: the seller has signed exactly these terms."}
          </Fact>
        </Facts>
        <div className="row">
          <SaveText
            name={`agreement-${agreementId.slice(2, 10)}.json`}
            text={dealFileOf(composed, venue)}
            label="Save the agreement as a file"
          />
          <span className="muted small">
            For the seller to sign beforehand (<code>assay agreement accept</code>), or to keep.
          </span>
        </div>
      </Card>
      <div className="row">
        <Button kind="primary" onClick={onFund}>
          Go on to fund it
        </Button>
        {back}
      </div>
    </div>
  );
}
