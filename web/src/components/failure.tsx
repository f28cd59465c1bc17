import { UnavailableError } from "@assay/evidence";
import { ProtocolError } from "@assay/protocol";
import { NoSourceError } from "@assay/subgraph";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Why something can't be shown, what to do, and a way to try again. */
export function Failure({
  error,
  what,
  onRetry,
}: {
  readonly error: unknown;
  readonly what: string;
  readonly onRetry?: () => void;
}) {
  const { message, hint } = wordsOf(error);
  return (
    <Notice
      tone="fail"
      title={`${what} can't be read`}
      isUrgent
      actions={onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    >
      <p>{message}</p>
      <p>{hint}</p>
    </Notice>
  );
}

function wordsOf(error: unknown): { readonly message: string; readonly hint: string } {
  if (error instanceof UnavailableError || error instanceof ProtocolError)
    return { message: sentence(error.message), hint: error.hint };
  if (error instanceof NoSourceError)
    return { message: error.message, hint: "Check your connection, or wait: it is asked again by itself." };
  return {
    message: sentence(error instanceof Error ? error.message : String(error)),
    hint: "Reload the page; if it stays, it is a fault of the page's.",
  };
}

function sentence(text: string): string {
  const first = /^\w+:\/\//.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
