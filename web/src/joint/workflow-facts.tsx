import type { JointAgreement, JointPlan } from "@assay/protocol";
import { Address } from "../components/address.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { LongText, Text } from "../components/untrusted.tsx";
import { simulationInWords } from "../network/simulation.ts";
import type { Responsibility } from "./decision.ts";

/** Where the workflow is, what both agents consented to, and the digests of what was found. */
export function WorkflowFacts({
  agreement: { adjudication, joint },
  plan: { place, workflow, workflowDigest },
  responsibility,
}: {
  readonly agreement: JointAgreement;
  readonly plan: JointPlan;
  readonly responsibility: Responsibility | null;
}) {
  const simulation = simulationInWords(adjudication.network);
  return (
    <>
      <Facts>
        <Fact term="Contract">
          <Hash value={place.contract} what="responsibility contract" /> on{" "}
          <Text>{adjudication.network}</Text>{" "}
          {simulation !== null && <span className="simulated">({simulation})</span>}
        </Fact>
        <Fact term="Workflow key">
          <Hash value={place.workflowKey} what="workflow key" />
        </Fact>
        <Fact term="Workflow digest">
          <Hash value={workflowDigest} what="workflow digest" />{" "}
          <span className="muted small">both agents consent to exactly this; look before you fund</span>
        </Fact>
        <Fact term="Created by">
          <Address value={joint.creator} what="creator of the workflow" isParty={false} />
        </Fact>
        <Fact term="Assessors">
          {workflow.assessors.map((assessor) => (
            <p key={assessor}>
              <Address value={assessor} what="assessor" isParty={false} />
            </p>
          ))}
        </Fact>
        <Fact term="Patience">
          {workflow.patience.toLocaleString("en-US")} messages to the contract, after which an abandoned
          workflow can be closed
        </Fact>
        {responsibility !== null && (
          <>
            <Fact term="Assessment digest">
              <Hash value={responsibility.assessmentDigest} what="assessment digest" />
            </Fact>
            <Fact term="Record digest">
              <Hash value={responsibility.recordDigest} what="record digest" />
            </Fact>
            <Fact term="Record’s sequence">{responsibility.sequence.toLocaleString("en-US")}</Fact>
            <Fact term="Other submission">
              <Hash
                value={responsibility.partner.submissionHash}
                what="SHA-256 of the other side's submission"
              />
            </Fact>
          </>
        )}
      </Facts>
      <p className="muted small">Acceptance criteria</p>
      <LongText what="Acceptance criteria of the workflow">{joint.acceptanceCriteria}</LongText>
    </>
  );
}
