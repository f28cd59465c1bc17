import { useMemo, useState } from "react";
import { sha256, utf8Encode } from "@assay/protocol";
import { keyOf } from "../acts/act-keys.ts";
import type { ActProps } from "../acts/act-props.ts";
import { publishDocument } from "../acts/publish.ts";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { Text } from "../components/untrusted.tsx";
import { useNetwork } from "../network/context.tsx";
import { escrowCall } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send, type Writer } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import { emptyDelivery, pack, readDelivery, type DeliveryDraft } from "./delivery.ts";
import { FileDrop } from "./file-drop.tsx";
import { Forecasts } from "./forecasts.tsx";
import type { ReadFiles } from "./read-files.ts";
import "./seller.css";

/** Files are dropped in, examined here, handed to operators, and their hash is written to the escrow. */
export function DeliverAct({ agreement }: ActProps) {
  const { operators, profile } = useNetwork();
  const { agreementId, terms, file } = agreement;
  const { state, begin } = useTransaction(keyOf("submit", agreementId));
  const [draft, setDraft] = useState<DeliveryDraft>(() => emptyDelivery(agreementId));
  const [refused, setRefused] = useState<ReadFiles["refused"]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const packed = useMemo(() => pack(draft), [draft]);
  const isEmpty = Object.keys(draft.files).length === 0 && draft.summary === "" && draft.links.length === 0;
  const document = file.agreement?.document ?? null;

  const add = (read: ReadFiles): void => {
    setRefused(read.refused);
    setProblem(null);
    setDraft((before) => ({ ...before, files: { ...before.files, ...read.files } }));
  };
  const openDocument = async (chosen: File): Promise<void> => {
    try {
      setDraft(readDelivery(await chosen.text(), agreementId));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const submit = (writer: Writer): void => {
    if (!("hash" in packed)) return;
    const { hash, document: bytes } = packed;
    begin(async ({ tell, keep }) => {
      await publishDocument(operators, hash, bytes);
      return send(writer, escrowCall(profile.evm.escrow, "submit", terms, hash), tell, keep);
    });
  };

  return (
    <div className="stack">
      <FileDrop onRead={add} onDocument={(chosen) => void openDocument(chosen)} />
      {problem !== null && (
        <Notice tone="fail" title="That can’t be opened" isUrgent>
          <p>{problem}</p>
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice tone="warn" title={`${refused.length} left out`} isUrgent>
          <ul>
            {refused.slice(0, 20).map(({ path, reason }) => (
              <li key={path}>
                <Text most={100}>{path}</Text>: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <FileList
        files={draft.files}
        onRemove={(path) => setDraft({ ...draft, files: without(draft.files, path) })}
      />
      <Field
        label="Summary"
        hint="What you did and how it meets the requirements; the judge reads it as your word."
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={draft.summary}
            onChange={({ target }) => setDraft({ ...draft, summary: target.value })}
          />
        )}
      </Field>
      <EvidenceFields draft={draft} asked={document?.evidenceRequired ?? []} onChange={setDraft} />
      {!isEmpty && "problems" in packed && (
        <Notice tone="fail" title="This can’t be delivered yet" isUrgent>
          <ul>
            {packed.problems.slice(0, 20).map((text, index) => (
              <li key={index}>
                <Text most={300}>{text}</Text>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {!isEmpty && "hash" in packed && document !== null && (
        <Forecasts agreement={document} delivery={draft} />
      )}
      {!isEmpty && "hash" in packed && (
        <p className="row">
          {packed.document.length.toLocaleString("en-US")} bytes, SHA-256{" "}
          <Hash value={packed.hash} what="delivery hash" />
        </p>
      )}
      <NeedWallet purpose="to deliver">
        {(writer) => (
          <div className="row">
            <Button
              kind="primary"
              disabled={isEmpty || "problems" in packed || isUnderWay(state)}
              onClick={() => submit(writer)}
            >
              Deliver
            </Button>
            <span className="muted small">
              The files go to the operators and become public; then your wallet is asked to send the hash.
            </span>
          </div>
        )}
      </NeedWallet>
    </div>
  );
}

function without(files: DeliveryDraft["files"], path: string): DeliveryDraft["files"] {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
}

function FileList({
  files,
  onRemove,
}: {
  readonly files: DeliveryDraft["files"];
  readonly onRemove: (path: string) => void;
}) {
  const entries = Object.entries(files);
  if (entries.length === 0) return null;
  return (
    <ul className="delivery-files" aria-label="Files of the delivery">
      {entries.map(([path, text]) => (
        <FileItem key={path} path={path} text={text} onRemove={() => onRemove(path)} />
      ))}
    </ul>
  );
}

function FileItem({
  path,
  text,
  onRemove,
}: {
  readonly path: string;
  readonly text: string;
  readonly onRemove: () => void;
}) {
  const [{ bytes, hash }] = useState(() => {
    const encoded = utf8Encode(text);
    return { bytes: encoded.length, hash: sha256(encoded) };
  });
  return (
    <li>
      <span className="path">
        <Text most={120}>{path}</Text>
      </span>
      <span className="muted small">{bytes.toLocaleString("en-US")} bytes</span>
      <Hash value={hash} what={`SHA-256 of ${path.slice(0, 60)}`} />
      <Button kind="quiet" aria-label={`Remove ${path.slice(0, 60)}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

function EvidenceFields({
  draft,
  asked,
  onChange,
}: {
  readonly draft: DeliveryDraft;
  readonly asked: readonly string[];
  readonly onChange: (draft: DeliveryDraft) => void;
}) {
  const { evidence } = draft;
  const put = (index: number, over: Partial<DeliveryDraft["evidence"][number]>): void =>
    onChange({ ...draft, evidence: evidence.map((one, at) => (at === index ? { ...one, ...over } : one)) });
  const field = (index: number, name: "source" | "claim" | "content", label: string, lines?: number) => (
    <Field label={label}>
      {(control) =>
        lines === undefined ? (
          <input
            {...control}
            value={evidence[index]?.[name] ?? ""}
            onChange={({ target }) => put(index, { [name]: target.value })}
          />
        ) : (
          <textarea
            {...control}
            rows={lines}
            value={evidence[index]?.[name] ?? ""}
            onChange={({ target }) => put(index, { [name]: target.value })}
          />
        )
      }
    </Field>
  );
  return (
    <fieldset className="bare stack">
      <legend>Evidence</legend>
      {asked.length > 0 && (
        <ul>
          {asked.map((text, index) => (
            <li key={index}>
              Asked for: <Text>{text}</Text>
            </li>
          ))}
        </ul>
      )}
      {evidence.map((_one, index) => (
        <div className="draft-requirement stack" key={index}>
          <div className="fields">
            {field(index, "source", `Source ${index + 1}`)}
            {field(index, "claim", `What it shows ${index + 1}`)}
          </div>
          {field(index, "content", `Content ${index + 1}`, 3)}
          <div>
            <Button
              kind="quiet"
              onClick={() => onChange({ ...draft, evidence: evidence.filter((_other, at) => at !== index) })}
            >
              Remove evidence {index + 1}
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button
          disabled={evidence.length >= 20}
          onClick={() =>
            onChange({ ...draft, evidence: [...evidence, { source: "", claim: "", content: "" }] })
          }
        >
          Add evidence
        </Button>
      </div>
    </fieldset>
  );
}
