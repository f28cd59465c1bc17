/** One text in this browser's storage. Storage that is switched off or full holds nothing. */
export interface Stored {
  readonly read: () => string | null;
  /** Tells whether the text is kept; what was kept before is gone when it is not. */
  readonly write: (text: string) => boolean;
  readonly remove: () => void;
}

/** How long something is kept: until this tab is closed, or for good. */
export type Keeping = "tab" | "browser";

/** The text under a key. */
export function stored(key: string, keeping: Keeping = "browser"): Stored {
  // Looked up each time: where storage is switched off, naming it throws.
  const area = (): Storage => (keeping === "tab" ? sessionStorage : localStorage);
  const remove = (): void => {
    attempt(() => area().removeItem(key));
  };
  return {
    read: () => attempt(() => area().getItem(key)) ?? null,
    write(text) {
      remove();
      return (
        attempt(() => {
          area().setItem(key, text);
          return true;
        }) ?? false
      );
    },
    remove,
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
