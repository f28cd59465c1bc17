import { useState } from "react";
import { utf8Length, WORKFLOW_LIMITS, type JointAgreement, type JointPlan } from "@assay/protocol";
import { keyOf } from "../acts/act-keys.ts";
import type { ActProps } from "../acts/act-props.ts";
import { publishDocument } from "../acts/publish.ts";
import { Button } from "../components/button.tsx";
import { Copy } from "../components/copy.tsx";
import { Field } from "../components/field.tsx";
import { FileDrop } from "../components/file-drop.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { Text } from "../components/untrusted.tsx";
import { useNetwork } from "../network/context.tsx";
import { escrowCall } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send, type Writer } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import { emptyDelivery, readDelivery } from "./delivery.ts";
import { outputProblem, outputToSign, packOutput } from "./output.ts";
import "./seller.css";

/** An agent's output under a joint agreement: written or opened here, signed where its key is, then delivered. */
export function DeliverOutputAct({
  agreement: { agreementId, terms },
  document,
  plan,
}: Pick<ActProps, "agreement"> & { readonly document: JointAgreement; readonly plan: JointPlan }) {
  const { operators, profile } = useNetwork();
  const { state, begin } = useTransaction(keyOf("submit", agreementId));
  const [draft, setDraft] = useState(() => emptyDelivery(agreementId));
  const [text, setText] = useState("");
  const [signature, setSignature] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const tooLong = outputProblem(text);
  const packed =
    text === "" || tooLong !== null || signature.trim() === ""
      ? null
      : packOutput(document, draft, text, signature);

  const open = async ([chosen]: readonly File[]): Promise<void> => {
    if (chosen === undefined) return;
    try {
      const { output, ...rest } = readDelivery(await chosen.text(), agreementId);
      setDraft(rest);
      setText(output?.text ?? "");
      setSignature(output?.signature ?? "");
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const submit = (writer: Writer): void => {
    if (packed === null || !("hash" in packed)) return;
    const { hash, document: bytes } = packed;
    begin(async ({ tell, keep }) => {
      await publishDocument(operators, hash, bytes);
      return send(writer, escrowCall(profile.evm.escrow, "submit", terms, hash), tell, keep);
    });
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
      {problem !== null && (
        <Notice tone="fail" title="That can’t be opened" isUrgent>
          <p>
            <Text most={300}>{problem}</Text>
          </p>
        </Notice>
      )}
      <Field
        label="Output"
        hint={`${utf8Length(text).toLocaleString("en-US")} of ${WORKFLOW_LIMITS.outputBytes.toLocaleString("en-US")} bytes`}
        error={tooLong}
      >
        {(control) => (
          <textarea {...control} rows={8} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      {text !== "" && tooLong === null && (
        <ToSign
          typedData={outputToSign(plan, text)}
          chainId={document.adjudication.chainId}
          signature={signature}
          onSignature={setSignature}
        />
      )}
      {packed !== null && "problems" in packed && (
        <Notice tone="fail" title="This can’t be delivered yet" isUrgent>
          <ul>
            {packed.problems.slice(0, 20).map((one, index) => (
              <li key={index}>
                <Text most={300}>{one}</Text>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {packed !== null && "hash" in packed && (
        <p className="row">
          Signed by this side’s agent. {packed.document.length.toLocaleString("en-US")} bytes, SHA-256{" "}
          <Hash value={packed.hash} what="delivery hash" />
        </p>
      )}
      <NeedWallet purpose="to deliver">
        {(writer) => (
          <div className="row">
            <Button
              kind="primary"
              disabled={packed === null || "problems" in packed || isUnderWay(state)}
              onClick={() => submit(writer)}
            >
              Deliver
            </Button>
            <span className="muted small">
              The output goes to the operators and becomes public; then your wallet is asked to send the hash.
            </span>
          </div>
        )}
      </NeedWallet>
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
      <div className="copy-text">
        <pre className="code" tabIndex={0} role="region" aria-label="Typed data to sign">
          {typedData}
        </pre>
        <Copy text={typedData} what="the typed data" />
      </div>
      <Field label="Signature of the output">
        {(control) => (
          <textarea
            {...control}
            className="code"
            rows={3}
            spellCheck={false}
            value={signature}
            onChange={({ target }) => onSignature(target.value)}
          />
        )}
      </Field>
    </>
  );
}
