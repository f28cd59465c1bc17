/** One text in this browser's storage. Storage that is switched off or full holds nothing, and says nothing. */
export interface Stored {
  readonly read: () => string | null;
  readonly write: (text: string) => void;
  readonly remove: () => void;
}

/** The text under a key. */
export function stored(key: string): Stored {
  return {
    read: () => attempt(() => localStorage.getItem(key)) ?? null,
    write: (text) => {
      attempt(() => localStorage.setItem(key, text));
    },
    remove: () => {
      attempt(() => localStorage.removeItem(key));
    },
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
