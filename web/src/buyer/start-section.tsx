import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { emptyDraft, readTemplate, type Draft } from "./draft.ts";
import { EXAMPLES } from "./examples.ts";

const MAX_FILE_BYTES = 128 * 1024;

/** Where a draft comes from: this browser, an example, a file, or nothing. */
export function StartSection({
  wasKept,
  onReplace,
}: {
  readonly wasKept: boolean;
  readonly onReplace: (draft: Draft) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      if (file.size > MAX_FILE_BYTES)
        throw new Error(`This file has ${file.size} bytes; an agreement has 65,536 at most.`);
      onReplace(readTemplate(await file.text()));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="stack start">
      {wasKept && (
        <Notice
          title="Your draft is back"
          actions={<Button onClick={() => onReplace(emptyDraft())}>Start afresh</Button>}
        >
          <p>It was kept in this browser. Nobody else has it.</p>
        </Notice>
      )}
      <div className="row">
        <span className="muted">Begin with</span>
        {EXAMPLES.map(({ name, document }) => (
          <Button key={name} onClick={() => onReplace(readTemplate(JSON.stringify(document)))}>
            {name}
          </Button>
        ))}
        <label className="button plain file-button">
          A file …
          <input
            type="file"
            className="sr-only"
            accept="application/json,.json"
            onChange={({ target }) => {
              void open(target.files?.[0]);
              target.value = "";
            }}
          />
        </label>
      </div>
      {problem !== null && (
        <Notice tone="fail" title="That can’t be opened" isUrgent>
          <p>{problem}</p>
        </Notice>
      )}
    </div>
  );
}
