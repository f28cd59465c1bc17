import { useEffect, useState } from "react";

const SHOWN_MILLISECONDS = 2_000;

/** Puts a text into the clipboard, and says so. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return (
    <button type="button" className="copy" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {state === "copied" ? (
          <path d="M3 8.500l3.200 3.200L13 5" />
        ) : (
          <path d="M5.500 5.500V2.500h8v8h-3M2.500 5.500h8v8h-8z" />
        )}
      </svg>
      <span role="status" className="sr-only">
        {state === "copied" ? `${what} copied` : state === "failed" ? "The browser refused to copy" : ""}
      </span>
    </button>
  );
}
