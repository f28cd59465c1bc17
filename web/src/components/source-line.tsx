import type { Sourced } from "@assay/subgraph";
import { sourceInWords } from "../data/source-in-words.ts";
import { Notice } from "./notice.tsx";

/** Says who answered, and why it was not the index when that is out of order. */
export function SourceLine({ sourced }: { readonly sourced: Sourced<unknown> }) {
  const { text, trouble } = sourceInWords(sourced);
  return (
    <>
      <p className="muted small">{text}.</p>
      {trouble !== null && (
        <Notice tone="warn" title={trouble.title}>
          <p>{trouble.hint}</p>
        </Notice>
      )}
    </>
  );
}
