import type { Agreement } from "@assay/protocol";
import { Address } from "../components/address.tsx";
import { Amount } from "../components/amount.tsx";
import { Badge } from "../components/badge.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { Time } from "../components/time.tsx";
import { Text } from "../components/untrusted.tsx";
import { agentName } from "../joint/decision.ts";
import { useNetwork } from "../network/context.tsx";
import { simulationInWords } from "../network/simulation.ts";
import type { AgreementView } from "./view.ts";

/** The deal in one sentence. */
export function DealInWords({ view }: { readonly view: AgreementView }) {
  const { reward, noVerdictSellerBps } = view.terms;
  const { joint } = view.file;
  if (joint !== null)
    return (
      <p className="prose lead">
        One of two agreements that a workflow decides together. The seller, {agentName(joint.role)}, gets{" "}
        <Amount value={reward} /> unless it is found at fault; then the buyer has the money back. When nothing
        is found, or without a verdict, the seller gets {noVerdictSellerBps / 100}%.
      </p>
    );
  return (
    <p className="prose lead">
      The seller gets <Amount value={reward} /> if the delivery meets every requirement; if it does not, the
      buyer has the money back. Without a verdict the seller gets {noVerdictSellerBps / 100}%.
    </p>
  );
}

/** What buyer and seller signed, in plain words. */
export function TermsFacts({ view }: { readonly view: AgreementView }) {
  const { terms, file } = view;
  return (
    <Facts>
      <Fact term="Buyer">
        <Address value={terms.buyer} what="buyer" />
      </Fact>
      <Fact term="Seller">
        <Address value={terms.seller} what="seller" />
      </Fact>
      <Fact term="Reward">
        <Amount value={terms.reward} />
      </Fact>
      <Fact term="Deliver by">
        <Time at={terms.deliverBy} />
      </Fact>
      <Fact term="Verdict by">
        <Time at={terms.adjudicateBy} />
      </Fact>
      <Fact term="Without a verdict">
        {terms.noVerdictSellerBps / 100}% goes to the seller, the rest to the buyer
      </Fact>
      <Fact term="Who may rule">
        <Adjudicator view={view} />
      </Fact>
      {file.agreement?.document != null && <JudgeFact agreement={file.agreement.document} />}
      <Fact term="Agreement document">
        <Hash value={terms.agreementHash} what="SHA-256 of the agreement document" />
      </Fact>
      {file.history.submitted !== null && (
        <Fact term="Submission">
          <Hash value={file.history.submitted.submissionHash} what="SHA-256 of the submission" />
        </Fact>
      )}
      {file.history.ending?.verdictHash != null && (
        <Fact term="Verdict record">
          <Hash value={file.history.ending.verdictHash} what="verdict hash" />
        </Fact>
      )}
    </Facts>
  );
}

function Adjudicator({ view: { terms } }: { readonly view: AgreementView }) {
  const { profile } = useNetwork();
  const { quorum, evm } = profile;
  const address = <Address value={terms.adjudicator} what="adjudicator" isParty={false} />;
  if (terms.adjudicator === quorum?.address)
    return (
      <>
        {quorum.threshold} of {quorum.members.length} operators of this network’s quorum, {address}
      </>
    );
  if (terms.adjudicator === evm.gate) return <>this network’s execution gate, without any judge, {address}</>;
  return (
    <>
      {address} <Badge tone="warn">not one of this network’s</Badge>
    </>
  );
}

function JudgeFact({ agreement: { adjudication } }: { readonly agreement: Agreement }) {
  const { network, contract, codeHash, minValidators, rounds } = adjudication;
  const simulation = simulationInWords(network);
  return (
    <>
      <Fact term="Judge">
        <Hash value={contract} what="judge contract" /> on <Text>{network}</Text>{" "}
        {simulation !== null && <span className="simulated">({simulation})</span>}
      </Fact>
      <Fact term="Judge’s code">
        <Hash value={codeHash} what="SHA-256 of the judge's code" />
      </Fact>
      <Fact term="Rounds">
        {minValidators} validators or more in each; {rounds} without a decision make it undetermined
      </Fact>
    </>
  );
}
