import { Link } from "wouter";
import { UnknownAgreementError } from "@assay/evidence";
import { ROLES, type Hex, type JointAgreement, type JointCase, type Role } from "@assay/protocol";
import { StatusBadge } from "../agreement/status-badge.tsx";
import { useAgreement } from "../agreement/use-agreement.ts";
import type { AgreementView } from "../agreement/view.ts";
import { Address } from "../components/address.tsx";
import { Amount } from "../components/amount.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { LongText } from "../components/untrusted.tsx";
import { responsibilityIn } from "./decision.ts";
import { VerdictTable } from "./verdict-table.tsx";
import { WorkflowFacts } from "./workflow-facts.tsx";

/** Both sides of a joint agreement, the verdict that decides them, and the workflow that it comes from. */
export function JointCard({
  view,
  agreement,
  joint,
}: {
  readonly view: AgreementView;
  readonly agreement: JointAgreement;
  readonly joint: JointCase;
}) {
  const { plan, role } = joint;
  const responsibility = responsibilityIn(view.file);
  return (
    <Card title="Two agents, one verdict" id="joint">
      {role === null ? (
        <Notice tone="fail" title="This agreement is neither side of its document">
          <p>
            Its terms are not those that the document fixes for agent A or agent B, so no operator has it
            judged: only its parties and its deadlines can end it.
          </p>
        </Notice>
      ) : (
        <p className="prose">
          One document makes two agreements, and one workflow decides both: it finds which of the two agents,
          if any, failed its own obligation. This agreement pays agent {role}.
        </p>
      )}
      {ROLES.map((one) => (
        <Side key={one} of={one} view={view} agreement={agreement} joint={joint} />
      ))}
      <section className="stack" aria-label="The verdict on who was at fault">
        <h3>The verdict</h3>
        {responsibility === null && <p>{verdictGap(view)}</p>}
        <VerdictTable plan={plan} role={role} responsibility={responsibility} />
      </section>
      <section className="stack" aria-label="The workflow">
        <h3>The workflow</h3>
        <WorkflowFacts agreement={agreement} plan={plan} responsibility={responsibility} />
      </section>
    </Card>
  );
}

/** One agent: who pays it what for which obligation, and how its agreement stands. */
function Side({
  of: one,
  view,
  agreement,
  joint: { plan, role },
}: {
  readonly of: Role;
  readonly view: AgreementView;
  readonly agreement: JointAgreement;
  readonly joint: JointCase;
}) {
  const { terms, agreementId } = plan.sides[one];
  const { obligation } = one === "A" ? agreement.joint.a : agreement.joint.b;
  const isThis = one === role;
  return (
    <section className="stack" aria-label={`Agent ${one}`} data-side={one}>
      <div className="row">
        <h3>Agent {one}</h3>
        {isThis && <Badge tone="info">paid by this agreement</Badge>}
      </div>
      <Facts>
        <Fact term="Agent">
          <Address value={terms.seller} what={`agent ${one}`} />
        </Fact>
        <Fact term="Buyer">
          <Address value={terms.buyer} what={`buyer of agent ${one}`} />
        </Fact>
        <Fact term="Reward">
          <Amount value={terms.reward} />
        </Fact>
        <Fact term="Agreement">
          <Hash
            value={agreementId}
            what={`agreement of agent ${one}`}
            wrap={(shown) => (isThis ? shown : <Link href={`/agreement/${agreementId}`}>{shown}</Link>)}
          />
        </Fact>
        <Fact term="State">
          {isThis ? <StatusBadge status={view.status} /> : <OtherState id={agreementId} />}
        </Fact>
      </Facts>
      <p className="muted small">Its obligation</p>
      <LongText what={`The obligation of agent ${one}`}>{obligation}</LongText>
    </section>
  );
}

/** How the other agreement stands, by the escrow's own account. */
function OtherState({ id }: { readonly id: Hex }) {
  const { value, error } = useAgreement(id);
  if (value !== undefined) return <StatusBadge status={value.status} />;
  if (error instanceof UnknownAgreementError)
    return (
      <>
        <Badge tone="warn">Not funded</Badge> without it there is no verdict, and the deadlines decide
      </>
    );
  return <>{error === null ? "being read …" : "not known: the chain does not answer"}</>;
}

function verdictGap({ file }: AgreementView): string {
  if (file.history.ending === null)
    return "There is none yet. It comes once both agents have delivered, and settles both agreements.";
  if (file.history.ending.verdictHash === null)
    return "There was none: this agreement ended by its parties or its deadlines.";
  return file.record === null
    ? "The verdict record can’t be had now. Recomputing rebuilds it from the judge’s network."
    : "There is none: this side was ended without a finding on who was at fault.";
}
