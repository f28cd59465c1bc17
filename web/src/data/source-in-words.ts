import type { Refusal, Sourced, SourceName, SourceReason } from "@assay/subgraph";

/** Who answered, in words, and what to think of it. */
export interface SourceInWords {
  readonly text: string;
  /** Why it was not the index, and what to do; null when nothing is the matter. */
  readonly trouble: { readonly title: string; readonly hint: string } | null;
}

const NAMES: Readonly<Record<SourceName, string>> = {
  graph: "the index",
  operator: "an operator's own store",
  chain: "the chain's own logs",
};

const TROUBLES: Readonly<Record<Exclude<Refusal, "not_configured" | "cannot_tell">, string>> = {
  behind: "The index is behind the chain",
  off_chain: "The index stands on a block that the chain took back",
  indexing_errors: "The index has stopped: it met an error",
  failed: "The index gives no answer",
};

/** Tells who answered. An index that is not configured is no trouble; one that is of no use is. */
export function sourceInWords({
  source,
  sourceReason,
  block,
}: Pick<Sourced<unknown>, "source" | "sourceReason" | "block">): SourceInWords {
  return {
    text: `Read from ${NAMES[source]} at block ${block.number}`,
    trouble: troubleIn(sourceReason, source),
  };
}

function troubleIn(reason: SourceReason, source: SourceName): SourceInWords["trouble"] {
  if (reason === "graph" || reason === "graph_not_configured" || reason === "graph_cannot_tell") return null;
  const refusal = reason.slice("graph_".length) as keyof typeof TROUBLES;
  return {
    title: TROUBLES[refusal],
    hint: `What you see was read from ${NAMES[source]} instead, which takes longer and is as good. The index is asked again by itself.`,
  };
}
