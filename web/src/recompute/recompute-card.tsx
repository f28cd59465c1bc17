import { useState } from "react";
import { gather } from "@assay/evidence";
import { encodeBundle, type Hex } from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Download } from "../components/download.tsx";
import { Failure } from "../components/failure.tsx";
import { FileDrop } from "../components/file-drop.tsx";
import { useNetwork } from "../network/context.tsx";
import { droppedSource } from "./dropped.ts";
import { Report } from "./report.tsx";
import { useRecompute } from "./use-recompute.ts";

/** Recomputes an agreement's verdict in this browser, from what chains and document stores hand out. */
export function RecomputeCard({
  agreementId,
  isMissingDocuments,
}: {
  readonly agreementId: Hex;
  readonly isMissingDocuments: boolean;
}) {
  const { profile, sources } = useNetwork();
  const { state, start } = useRecompute();
  const [files, setFiles] = useState<readonly Uint8Array[]>([]);
  const { rpcUrl, chainId, escrow, startBlock } = profile.evm;
  const recompute = (given: readonly Uint8Array[]): void =>
    void start(async () => ({
      evidence: await gather(agreementId, {
        rpcUrl,
        chainId,
        escrow,
        fromBlock: startBlock,
        genlayerRpcUrl: profile.genLayerRpcUrl ?? null,
        sources: [droppedSource(given), ...sources],
      }),
    }));
  const take = async (dropped: readonly File[]): Promise<void> => {
    const read = await Promise.all(dropped.map(async (file) => new Uint8Array(await file.arrayBuffer())));
    const all = [...files, ...read];
    setFiles(all);
    recompute(all);
  };
  const isMissing =
    isMissingDocuments ||
    (state.name === "done" && state.evidence.gaps.some(({ subject }) => subject === "partnerSubmission"));
  const isBusy = state.name === "gathering" || state.name === "computing";
  return (
    <Card title="Recompute here" id="recompute">
      <p className="prose">
        Your browser fetches the terms and events from the chain, the documents by their hash, and the judge’s
        record from its network; then it computes every hash and recovers every signature again. No operator
        is believed, and none has to be there.
      </p>
      <div className="row no-print">
        <Button kind="primary" onClick={() => recompute(files)} disabled={isBusy}>
          {isBusy ? "Recomputing …" : state.name === "idle" ? "Recompute every step" : "Recompute again"}
        </Button>
        {state.name === "done" && (
          <Download name={`${agreementId}.bundle.json`} bytes={() => encodeBundle(state.evidence)}>
            Save the evidence as a bundle
          </Download>
        )}
      </div>
      {isMissing && (
        <FileDrop
          label="Add a document that could not be had"
          hint="It stays in your browser, and counts only if it hashes to the value on the chain."
          onFiles={(dropped) => void take(dropped)}
        />
      )}
      {state.name === "gathering" && <p role="status">Fetching from both chains …</p>}
      {state.name === "failed" && (
        <Failure error={state.error} what="The evidence" onRetry={() => recompute(files)} />
      )}
      {(state.name === "computing" || state.name === "done") && (
        <Report steps={state.steps} report={state.report} />
      )}
    </Card>
  );
}
