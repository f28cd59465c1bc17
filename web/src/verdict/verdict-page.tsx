import { Link } from "wouter";
import { isHash, isCertificate, toHash, type Hex } from "@assay/protocol";
import { Hallmark } from "../agreement/hallmark.tsx";
import { RequirementList } from "../agreement/requirement-list.tsx";
import { outcomeOf } from "../agreement/situation.ts";
import { useAgreement } from "../agreement/use-agreement.ts";
import { Address } from "../components/address.tsx";
import { Amount } from "../components/amount.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Hash } from "../components/hash.tsx";
import { Loading } from "../components/loading.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { Text } from "../components/untrusted.tsx";
import { useResource } from "../data/resources.tsx";
import { jointOutcomeInWords, responsibilityIn } from "../joint/decision.ts";
import { VerdictTable } from "../joint/verdict-table.tsx";
import { NotFound } from "../layout/not-found.tsx";
import { Page } from "../layout/page.tsx";
import { useNetwork } from "../network/context.tsx";
import { Paid } from "./verdict-summary.tsx";

/** One verdict, as a document to print. */
export default function VerdictPage({ hash }: { readonly hash: string }) {
  const lower = hash.toLowerCase();
  return isHash(lower) ? <Known hash={toHash(lower)} /> : <NotFound />;
}

function Known({ hash }: { readonly hash: Hex }) {
  const { profile, index } = useNetwork();
  const { value, error, reload } = useResource(`${profile.name}/owners/${hash}`, {
    load: () => index.ownersOf(hash),
  });
  if (value === undefined)
    return (
      <Page title="Verdict">
        {error === null ? (
          <Loading what="the verdict" lines={8} />
        ) : (
          <Failure error={error} what="The verdict" onRetry={reload} />
        )}
      </Page>
    );
  const owners = value.value.filter(({ role }) => role === "verdict");
  if (owners.length === 0)
    return (
      <Page title="Verdict" lead={<Hash value={hash} what="verdict hash" whole />}>
        <Notice
          tone="warn"
          title="No agreement of this escrow was decided by a verdict with this hash"
          actions={<Button onClick={reload}>Look again</Button>}
        >
          <p>
            A verdict appears here once it has settled its agreement. It may also belong to another network.
            You can <Link href="/">search</Link> for the agreement instead.
          </p>
        </Notice>
      </Page>
    );
  return owners.map(({ agreementId }) => <Verdict key={agreementId} hash={hash} agreementId={agreementId} />);
}

function Verdict({ hash, agreementId }: { readonly hash: Hex; readonly agreementId: Hex }) {
  const { label, profile } = useNetwork();
  const { value, error, reload } = useAgreement(agreementId);
  if (value === undefined)
    return (
      <Page title="Verdict">
        {error === null ? (
          <Loading what="the agreement" lines={8} />
        ) : (
          <Failure error={error} what="The agreement" onRetry={reload} />
        )}
      </Page>
    );
  const { file, terms } = value;
  const { ending, certified, submitted } = file.history;
  const outcome = outcomeOf(value);
  const agreement = file.agreement?.document ?? null;
  return (
    <Page
      title="Verdict"
      heading="Verdict"
      lead={
        <div className="stack certificate-head">
          {outcome !== null && <Hallmark outcome={outcome} words={jointOutcomeInWords(file, outcome)} />}
          <p className="paid">
            <Paid view={value} />
          </p>
        </div>
      }
    >
      <div className="row no-print">
        <Button kind="primary" onClick={() => window.print()}>
          Print
        </Button>
        <Link className="button plain" href={`/agreement/${agreementId}#recompute`}>
          Recompute it
        </Link>
      </div>
      <Card title="What was judged">
        <Facts>
          {agreement !== null && (
            <Fact term="Agreement">
              <Text>{agreement.title}</Text>
            </Fact>
          )}
          <Fact term="Agreement’s id">
            <Hash
              value={agreementId}
              what="agreement id"
              whole
              wrap={(shown) => <Link href={`/agreement/${agreementId}`}>{shown}</Link>}
            />
          </Fact>
          <Fact term="Agreement document, SHA-256">
            <Hash value={terms.agreementHash} what="SHA-256 of the agreement document" whole />
          </Fact>
          {submitted !== null && (
            <Fact term="Submission, SHA-256">
              <Hash value={submitted.submissionHash} what="SHA-256 of the submission" whole />
            </Fact>
          )}
          <Fact term="Verdict record, Keccak-256">
            <Hash value={hash} what="verdict hash" whole />
          </Fact>
        </Facts>
      </Card>
      {file.joint !== null ? (
        <Card title="Who was at fault">
          <VerdictTable
            plan={file.joint.plan}
            role={file.joint.role}
            responsibility={responsibilityIn(file)}
          />
        </Card>
      ) : (
        agreement !== null && (
          <Card title="Requirements">
            <RequirementList view={value} agreement={agreement} />
          </Card>
        )
      )}
      <Card title="Who decided, who paid">
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
          {ending !== null && (
            <>
              <Fact term="Settled">
                <Time at={ending.block.timestamp} relative={false} />, block {ending.block.number} of {label}{" "}
                (chain {profile.evm.chainId})
              </Fact>
              <Fact term="Settling transaction">
                <Hash value={ending.transaction.hash} what="transaction" whole />
              </Fact>
            </>
          )}
          <Fact term="Adjudicator">
            <Hash value={terms.adjudicator} what="adjudicator" whole />
          </Fact>
          {certified !== null && (
            <>
              <Fact term="Judge">
                <Hash value={certified.judge} what="judge contract" whole />
              </Fact>
              <Fact term="Judge’s transaction">
                <Hash value={certified.judgeTx} what="GenLayer transaction" whole />
              </Fact>
              <Fact
                term={
                  isCertificate(file.certificate)
                    ? `Signed by (${file.certificate.threshold} needed)`
                    : "Signed by"
                }
              >
                {certified.signers.map((signer) => (
                  <p key={signer}>
                    <Hash value={signer} what="operator" whole />
                  </p>
                ))}
              </Fact>
            </>
          )}
        </Facts>
        <p className="muted small">
          This page shows what the chain says. Whether it follows from the documents and the judge’s record,
          anybody can recompute: on the agreement’s page, or with <code>assay audit {agreementId}</code>.
        </p>
      </Card>
    </Page>
  );
}
