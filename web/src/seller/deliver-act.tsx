import { useMemo, useState } from "react";
import { sha256, utf8Encode } from "@assay/protocol";
import type { ActProps } from "../acts/act-props.ts";
import { Button } from "../components/button.tsx";
import { Hash } from "../components/hash.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { Text } from "../components/untrusted.tsx";
import { isEmptyDelivery, pack, readDelivery, type DeliveryDraft } from "./delivery.ts";
import { EvidenceFields } from "./evidence-fields.tsx";
import { FileDrop } from "./file-drop.tsx";
import { Forecasts } from "./forecasts.tsx";
import { useKeptDelivery } from "./use-kept-delivery.ts";
import type { ReadFiles } from "./read-files.ts";
import { Keeping, OpenProblem, Outcome, Submit } from "./submit.tsx";
import "./seller.css";

/** Files are dropped in, examined here, handed to operators, and their hash is written to the escrow. */
export function DeliverAct({ agreement }: ActProps) {
  const { agreementId, file } = agreement;
  const { draft, isKept, change, forget } = useKeptDelivery(agreementId);
  const [refused, setRefused] = useState<ReadFiles["refused"]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const packed = useMemo(() => pack(draft), [draft]);
  const isEmpty = isEmptyDelivery(draft);
  const document = file.agreement?.document ?? null;

  const add = (read: ReadFiles): void => {
    setRefused(read.refused);
    setProblem(null);
    change((last) => ({ ...last, files: { ...last.files, ...read.files } }));
  };
  const openDocument = async (chosen: File): Promise<void> => {
    try {
      const opened = readDelivery(await chosen.text(), agreementId);
      change(() => opened);
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <div className="stack">
      <FileDrop onRead={add} onDocument={(chosen) => void openDocument(chosen)} />
      <OpenProblem problem={problem} />
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
        onRemove={(path) => change((last) => ({ ...last, files: without(last.files, path) }))}
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
            onChange={({ target }) => change((last) => ({ ...last, summary: target.value }))}
          />
        )}
      </Field>
      <EvidenceFields
        evidence={draft.evidence}
        asked={document?.evidenceRequired ?? []}
        onChange={(evidence) => change((last) => ({ ...last, evidence }))}
      />
      {!isEmpty && "hash" in packed && document !== null && (
        <Forecasts agreement={document} delivery={draft} />
      )}
      {!isEmpty && <Outcome packed={packed} />}
      {!isEmpty && <Keeping isKept={isKept} />}
      <Submit agreement={agreement} packed={isEmpty ? null : packed} what="The files go" onSent={forget} />
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
  const { bytes, hash } = useMemo(() => {
    const encoded = utf8Encode(text);
    return { bytes: encoded.length, hash: sha256(encoded) };
  }, [text]);
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
