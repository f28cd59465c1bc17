import { useCallback, useMemo, useState } from "react";
import { stored } from "../wallet/storage.ts";
import { emptyDraft, isEmpty, readDraft, type Draft } from "./draft.ts";

/** A draft that outlives the page's reload. */
export interface KeptDraft {
  readonly draft: Draft;
  /** Whether it was found in this browser. */
  readonly wasKept: boolean;
  readonly change: (over: Partial<Draft>) => void;
  readonly replace: (draft: Draft) => void;
}

/** The draft of a network, kept in this browser until it is replaced. */
export function useKeptDraft(network: string): KeptDraft {
  const shelf = useMemo(() => stored(`assay/draft/${network}`), [network]);
  const [{ draft, wasKept }, setState] = useState(() => {
    const kept = readDraft(shelf.read());
    return { draft: kept ?? emptyDraft(), wasKept: kept !== null && !isEmpty(kept) };
  });
  const replace = useCallback(
    (next: Draft) => {
      setState({ draft: next, wasKept: false });
      if (isEmpty(next)) shelf.remove();
      else shelf.write(JSON.stringify(next));
    },
    [shelf],
  );
  return { draft, wasKept, replace, change: (over) => replace({ ...draft, ...over }) };
}
