import { UnknownAgreementError } from "@assay/evidence";
import { isHash, isJoint, toHash, type Hex } from "@assay/protocol";
import { Card } from "../components/card.tsx";
import { Failure } from "../components/failure.tsx";
import { Hash } from "../components/hash.tsx";
import { Loading } from "../components/loading.tsx";
import { Notice } from "../components/notice.tsx";
import { LongText, Text } from "../components/untrusted.tsx";
import { ExecutionCard } from "../execution/execution-card.tsx";
import { walkIn } from "../execution/facts.ts";
import { JointCard } from "../joint/joint-card.tsx";
import { NotFound } from "../layout/not-found.tsx";
import { Page } from "../layout/page.tsx";
import { RecomputeCard } from "../recompute/recompute-card.tsx";
import { ActionsSlot } from "../slots.tsx";
import { VerdictSummary } from "../verdict/verdict-summary.tsx";
import { Delivery } from "./delivery.tsx";
import { OperatorList } from "./operator-list.tsx";
import { RecordOnly } from "./record-only.tsx";
import { RequirementList } from "./requirement-list.tsx";
import { Situations } from "./situations.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { DealInWords, TermsFacts } from "./terms.tsx";
import { TimelineList } from "./timeline-list.tsx";
import { useAgreement } from "./use-agreement.ts";
import type { AgreementView } from "./view.ts";

/** One agreement: its terms, its life, and whether its verdict follows from public facts. */
export default function AgreementPage({ id }: { readonly id: string }) {
  const lower = id.toLowerCase();
  return isHash(lower) ? <Known id={toHash(lower)} /> : <NotFound />;
}

function Known({ id }: { readonly id: Hex }) {
  const { value, error, reload } = useAgreement(id);
  if (value !== undefined) return <Whole view={value} error={error} onChanged={reload} />;
  return (
    <Page title="Agreement" lead={<Hash value={id} what="agreement id" whole />}>
      {error === null ? (
        <Loading what="the agreement" lines={10} />
      ) : error instanceof UnknownAgreementError ? (
        <Notice
          tone="warn"
          title="This escrow knows no such agreement"
          actions={
            <button type="button" className="button" onClick={reload}>
              Look again
            </button>
          }
        >
          <p>
            It may not be funded yet, or belong to another network. A fresh one appears with its first block.
          </p>
        </Notice>
      ) : (
        <>
          <Failure error={error} what="The chain" onRetry={reload} />
          <RecordOnly id={id} />
        </>
      )}
    </Page>
  );
}

function Whole({
  view,
  error,
  onChanged,
}: {
  readonly view: AgreementView;
  readonly error: unknown;
  readonly onChanged: () => void;
}) {
  const { agreementId, file, status } = view;
  const agreement = file.agreement?.document ?? null;
  const submission = file.submission?.document ?? null;
  return (
    <Page
      title={agreement === null ? "Agreement" : `Agreement ${agreementId.slice(0, 10)}`}
      heading={agreement === null ? "Agreement" : <Text>{agreement.title}</Text>}
      lead={
        <>
          <div className="row">
            <StatusBadge status={status} />
            <Hash value={agreementId} what="agreement id" />
          </div>
          <DealInWords view={view} />
        </>
      }
    >
      {error instanceof UnknownAgreementError ? (
        <div data-situation="reorged">
          <Notice tone="fail" title="The chain took this agreement back" isUrgent>
            <p>
              It was reorganised, and the agreement’s funding is in none of its blocks now.{" "}
              <strong>Next:</strong> wait; the transaction mostly comes back by itself.
            </p>
          </Notice>
        </div>
      ) : (
        error !== null && <Failure error={error} what="Something newer" onRetry={onChanged} />
      )}
      <VerdictSummary view={view} />
      <Situations view={view} />
      <ActionsSlot agreement={view} onChanged={onChanged} />
      <div className={agreement === null && submission === null ? "stack-loose" : "split"}>
        <div className="stack-loose">
          {agreement !== null && (
            <>
              {file.joint !== null && isJoint(agreement) ? (
                <JointCard view={view} agreement={agreement} joint={file.joint} />
              ) : (
                <Card title="Requirements">
                  <RequirementList view={view} agreement={agreement} />
                </Card>
              )}
              <Card title="Task">
                <LongText what="The task">{agreement.task}</LongText>
                {agreement.evidenceRequired.length > 0 && (
                  <>
                    <h3>Evidence asked for</h3>
                    <ul>
                      {agreement.evidenceRequired.map((text) => (
                        <li key={text}>
                          <Text>{text}</Text>
                        </li>
                      ))}
                    </ul>
                  </>
                )}
              </Card>
            </>
          )}
          {file.agreement?.fault != null && <Faulty what="agreement" fault={file.agreement.fault} />}
          {submission !== null && file.submission !== null && (
            <Card title="Delivery">
              <Delivery submission={submission} text={file.submission.text} />
            </Card>
          )}
          {file.submission?.fault != null && <Faulty what="submission" fault={file.submission.fault} />}
        </div>
        <div className="stack-loose">
          <Card title="Life">
            <TimelineList view={view} />
          </Card>
        </div>
      </div>
      <Card title="Terms">
        <TermsFacts view={view} />
      </Card>
      <Execution view={view} />
      {view.operators.length > 0 && (
        <Card title="What operators say">
          <OperatorList operators={view.operators} />
        </Card>
      )}
      <RecomputeCard
        agreementId={agreementId}
        isMissingDocuments={file.evidence.gaps.some(
          ({ subject }) => subject === "agreement" || subject === "submission",
        )}
      />
    </Page>
  );
}

function Execution({ view: { agreementId, file, terms } }: { readonly view: AgreementView }) {
  const { agreement, submission, walk } = file;
  const document = agreement?.document ?? null;
  if (walk === null && document?.execution === undefined) return null;
  const { chainId, escrow } = file.evidence.evm;
  const subject = { chainId, escrow, agreementId };
  const report =
    walk?.report ??
    (document === null || agreement === null
      ? null
      : walkIn(document, agreement.text, submission?.document ?? null, subject, terms));
  return <ExecutionCard execution={document?.execution} report={report} />;
}

function Faulty({ what, fault }: { readonly what: string; readonly fault: string }) {
  return (
    <Notice tone="fail" title={`The ${what} document is not one`}>
      <p>Its bytes hash to the value on the chain, and it breaks the format: {fault}</p>
    </Notice>
  );
}
