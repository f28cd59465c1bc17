import { useEffect } from "react";
import { TransactionStatus } from "./transaction-status.tsx";
import { useTransaction } from "./wallet.tsx";

/** States in which the chain may show something else than before. */
const MOVES = new Set(["included", "final", "reorged", "replaced", "reverted"]);

/** Where the transaction of an act stands, and a word to whoever shows what it changes. */
export function FollowedTransaction({
  of,
  done,
  onMoved,
}: {
  /** Key of the act. */
  readonly of: string;
  /** What has happened when it is included. */
  readonly done: string;
  readonly onMoved: () => void;
}) {
  const { state, dismiss } = useTransaction(of);
  const moved = MOVES.has(state.name) ? state.name : null;
  useEffect(() => {
    if (moved !== null) onMoved();
  }, [moved, onMoved]);
  return <TransactionStatus state={state} done={done} onDismiss={dismiss} />;
}
