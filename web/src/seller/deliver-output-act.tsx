import { useState } from "react";
import { utf8Length, WORKFLOW_LIMITS, type JointAgreement, type JointPlan } from "@assay/protocol";
import type { ActProps } from "../acts/act-props.ts";
import { CopyText } from "../components/copy-text.tsx";
import { Field } from "../components/field.tsx";
import { FileDrop } from "../components/file-drop.tsx";
import { PasteField } from "../components/paste-field.tsx";
import { isEmptyDelivery, readDelivery } from "./delivery.ts";
import { useKeptDelivery } from "./use-kept-delivery.ts";
import { outputProblem, outputToSign, packOutput } from "./output.ts";
import { Keeping, OpenProblem, Outcome, Submit } from "./submit.tsx";
import "./seller.css";

/** An agent's output under a joint agreement: written or opened here, signed where its key is, then delivered. */
export function DeliverOutputAct({
  agreement,
  document,
  plan,
}: Pick<ActProps, "agreement"> & { readonly document: JointAgreement; readonly plan: JointPlan }) {
  const { draft, isKept, change, forget } = useKeptDelivery(agreement.agreementId);
  const [problem, setProblem] = useState<string | null>(null);
  const { text, signature } = draft.output ?? { text: "", signature: "" };
  const put = (output: { text?: string; signature?: string }): void =>
    change((last) => ({ ...last, output: { text: "", signature: "", ...last.output, ...output } }));
  const tooLong = outputProblem(text);
  const packed =
    text === "" || tooLong !== null || signature.trim() === ""
      ? null
      : packOutput(document, draft, text, signature);

  const open = async ([chosen]: readonly File[]): Promise<void> => {
    if (chosen === undefined) return;
    try {
      const opened = readDelivery(await chosen.text(), agreement.agreementId);
      change(() => opened);
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <div className="stack">
      <p className="prose">
        What is judged is one text, your output, with your signature, which lets any relayer carry it into the
        workflow. It is given once and can’t be changed; a delivery without it would be none.
      </p>
      <FileDrop
        label="Open a whole submission"
        hint="A JSON document that already holds the signed output. It is read in this browser."
        onFiles={(files) => void open(files)}
      />
      <OpenProblem problem={problem} />
      <Field
        label="Output"
        hint={`${utf8Length(text).toLocaleString("en-US")} of ${WORKFLOW_LIMITS.outputBytes.toLocaleString("en-US")} bytes`}
        error={tooLong}
      >
        {(control) => (
          <textarea
            {...control}
            rows={8}
            value={text}
            onChange={({ target }) => put({ text: target.value })}
          />
        )}
      </Field>
      {text !== "" && tooLong === null && (
        <ToSign
          typedData={outputToSign(plan, text)}
          chainId={document.adjudication.chainId}
          signature={signature}
          onSignature={(given) => put({ signature: given })}
        />
      )}
      {packed !== null && <Outcome packed={packed} lead="Signed by this side’s agent. " />}
      {!isEmptyDelivery(draft) && <Keeping isKept={isKept} />}
      <Submit agreement={agreement} packed={packed} what="The output goes" onSent={forget} />
    </div>
  );
}

/** What is to be signed elsewhere, since wallets in a browser sign for the chain that they are on and no other. */
function ToSign({
  typedData,
  chainId,
  signature,
  onSignature,
}: {
  readonly typedData: string;
  readonly chainId: number;
  readonly signature: string;
  readonly onSignature: (signature: string) => void;
}) {
  return (
    <>
      <p className="prose">
        Sign this typed data with your agent’s key. It is for GenLayer’s chain ({chainId}), not the escrow’s,
        and wallets in a browser sign for the chain that they are on: use a tool that holds the key and put
        its signature below, or deliver with <code>assay work submit --output</code>.
      </p>
      <CopyText text={typedData} label="Typed data to sign" what="the typed data" />
      <PasteField label="Signature of the output" value={signature} onChange={onSignature} />
    </>
  );
}
