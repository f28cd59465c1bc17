import { useState } from "react";
import { bundleSource, gather } from "@assay/evidence";
import {
  ProtocolError,
  canonicalize,
  openCase,
  parseAgreement,
  parseSubmission,
  type Agreement,
  type Evidence,
  type Hex,
  type Submission,
} from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { FileDrop } from "../components/file-drop.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { ExecutionCard } from "../execution/execution-card.tsx";
import { walkIn } from "../execution/facts.ts";
import { Page } from "../layout/page.tsx";
import { useNetwork } from "../network/context.tsx";
import { MAX_FILE_BYTES, readDropped } from "./dropped.ts";
import { Report } from "./report.tsx";
import { useRecompute } from "./use-recompute.ts";

interface Given {
  readonly bundle: { readonly evidence: Evidence; readonly signers: readonly Hex[] } | null;
  readonly agreement: Agreement | null;
  readonly submission: Submission | null;
  readonly faults: readonly string[];
}

const NOTHING: Given = { bundle: null, agreement: null, submission: null, faults: [] };

/** Recomputes from files alone: a bundle's verdict, or the walk in a submission. */
export default function RecomputePage() {
  const [given, setGiven] = useState<Given>(NOTHING);
  const take = async (files: readonly File[]): Promise<void> => {
    let next: Given = { ...given, faults: [] };
    for (const file of files) next = await taken(next, file);
    setGiven(next);
  };
  const { bundle, agreement, submission, faults } = given;
  return (
    <Page
      title="Recompute a file"
      lead={
        <p className="prose">
          Everything that proves a verdict fits in one file. Drop it here and every step is computed from it,
          in this browser, without a network. Nothing is uploaded.
        </p>
      }
    >
      <FileDrop
        label="A bundle, or an agreement with its submission"
        hint="A bundle or in-toto envelope as `assay bundle` or this page writes them; or the two documents, to replay a proof of execution."
        onFiles={(files) => void take(files)}
      />
      {faults.map((fault) => (
        <Notice key={fault} tone="fail" title="A file can’t be used" isUrgent>
          <p>{fault}</p>
        </Notice>
      ))}
      {bundle !== null && (
        <BundleCard key={JSON.stringify(bundle.signers) + bundle.evidence.agreementId} bundle={bundle} />
      )}
      {bundle === null && (agreement !== null || submission !== null) && (
        <Documents agreement={agreement} submission={submission} />
      )}
    </Page>
  );
}

async function taken(given: Given, file: File): Promise<Given> {
  const wrong = (words: string): Given => ({ ...given, faults: [...given.faults, `${file.name}: ${words}`] });
  if (file.size > MAX_FILE_BYTES)
    return wrong(`it has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB; no bundle is that large.`);
  try {
    const dropped = readDropped(new Uint8Array(await file.arrayBuffer()));
    if (dropped.kind === "bundle") return { ...given, bundle: dropped };
    if (dropped.schema === "assay/agreement/1") return { ...given, agreement: parseAgreement(dropped.bytes) };
    if (dropped.schema === "assay/submission/1")
      return { ...given, submission: parseSubmission(dropped.bytes) };
    return wrong("it is a verdict record by itself; drop the bundle that it belongs to.");
  } catch (error) {
    if (error instanceof ProtocolError) return wrong(`${error.message}. ${error.hint}`);
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

function BundleCard({ bundle }: { readonly bundle: NonNullable<Given["bundle"]> }) {
  const { evidence, signers } = bundle;
  const { state, start } = useRecompute();
  const { profile } = useNetwork();
  const { evm } = evidence;
  const isOfThisNetwork = evm.chainId === profile.evm.chainId && evm.escrow === profile.evm.escrow;
  const isBusy = state.name === "gathering" || state.name === "computing";
  const againstChains = (): void =>
    void start(async () => ({
      evidence,
      live: await gather(evidence.agreementId, {
        rpcUrl: profile.evm.rpcUrl,
        chainId: evm.chainId,
        escrow: evm.escrow,
        fromBlock: profile.evm.startBlock,
        genlayerRpcUrl: profile.genLayerRpcUrl ?? null,
        sources: [bundleSource(evidence)],
      }),
    }));
  const file = openCase(evidence);
  const agreement = file.agreement?.document ?? null;
  const subject = { chainId: evm.chainId, escrow: evm.escrow, agreementId: evidence.agreementId };
  const walk =
    file.walk?.report ??
    (agreement === null || file.agreement === null
      ? null
      : walkIn(agreement, file.agreement.text, file.submission?.document ?? null, subject, file.terms));
  return (
    <>
      <Card title="The bundle">
        <Facts>
          <Fact term="Agreement">
            <Hash value={evidence.agreementId} what="agreement id" whole />
          </Fact>
          <Fact term="Escrow">
            <Hash value={evm.escrow} what="escrow" whole /> on chain {evm.chainId}
          </Fact>
          <Fact term="Envelope signed by">
            {signers.length === 0
              ? "nobody; its content proves itself, or does not"
              : signers.map((signer) => (
                  <p key={signer}>
                    <Hash value={signer} what="signer" whole />
                  </p>
                ))}
          </Fact>
        </Facts>
        <div className="row">
          <Button
            kind="primary"
            disabled={isBusy}
            onClick={() => void start(() => Promise.resolve({ evidence }))}
          >
            Recompute it by itself
          </Button>
          {isOfThisNetwork && (
            <Button disabled={isBusy} onClick={againstChains}>
              Compare it with the chains too
            </Button>
          )}
        </div>
        {state.name === "failed" && <Failure error={state.error} what="The chain" />}
        {(state.name === "computing" || state.name === "done") && (
          <Report steps={state.steps} report={state.report} />
        )}
      </Card>
      {walk !== null && <ExecutionCard execution={agreement?.execution} report={walk} />}
    </>
  );
}

function Documents({
  agreement,
  submission,
}: {
  readonly agreement: Agreement | null;
  readonly submission: Submission | null;
}) {
  const { profile, label } = useNetwork();
  if (agreement === null || submission === null)
    return (
      <Notice title={agreement === null ? "The submission is here" : "The agreement is here"}>
        <p>Add the {agreement === null ? "agreement" : "submission"} that goes with it.</p>
      </Notice>
    );
  if (agreement.execution === undefined)
    return (
      <Notice tone="warn" title="This agreement commits to no calls">
        <p>Only agreements with an execution have a walk to replay. To recompute a verdict, drop a bundle.</p>
      </Notice>
    );
  return (
    <>
      <p className="muted small">
        The recorder’s signature binds the escrow: it is checked for the one of {label}, {profile.evm.escrow}.
      </p>
      <ExecutionCard
        execution={agreement.execution}
        report={walkIn(
          agreement,
          canonicalize(agreement),
          submission,
          {
            chainId: profile.evm.chainId,
            escrow: profile.evm.escrow,
            agreementId: submission.agreementId,
          },
          null,
        )}
      />
    </>
  );
}
