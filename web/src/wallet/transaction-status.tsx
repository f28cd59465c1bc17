import type { Hex, Words } from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { useNetwork } from "../network/context.tsx";
import type { Tone } from "../components/badge.tsx";
import { isLost, type Transaction } from "./transaction.ts";

/** Where a transaction stands and what to do next; nothing while there is none. */
export function TransactionStatus({
  state,
  done,
  onDismiss,
}: {
  readonly state: Transaction;
  /** What has happened when it is included, as a sentence. */
  readonly done: string;
  readonly onDismiss: () => void;
}) {
  switch (state.name) {
    case "idle":
      return null;
    case "simulating":
      return (
        <Notice title="Trying it out first …">
          <p>The call is tried on the chain without your wallet; it costs nothing.</p>
        </Notice>
      );
    case "asking":
      return (
        <Notice title="Look at your wallet">
          <p>
            {state.what === "sign"
              ? "It shows what you sign, field by field. Compare it with what is written here."
              : "It shows the transaction and what its gas costs. It was tried out, and would succeed."}
          </p>
        </Notice>
      );
    case "refused":
      return <Ended title="This would fail, so your wallet was not asked" words={state.words} />;
    case "rejected":
      return <Ended title="Not sent" words={state.words} onDismiss={onDismiss} />;
    case "failed":
      return <Ended tone="fail" title="It did not work" words={state.words} onDismiss={onDismiss} />;
    case "pending":
      return (
        <Notice
          title="Sent; waiting for a block"
          actions={isLost(state) && <Button onClick={onDismiss}>Stop waiting</Button>}
        >
          <p>
            You may close this page; it goes on by itself, and is followed again when you come back.
            {isLost(state) &&
              " No node here knows the transaction yet; if your wallet does not either, stop waiting and send it again."}
          </p>
          <Link hash={state.sent.hash} />
        </Notice>
      );
    case "included":
      return (
        <Notice tone="pass" title={done}>
          <p>
            It is in block {state.place.number}, which is not final yet: wait a little before you rely on it.
          </p>
          <Link hash={state.sent.hash} />
        </Notice>
      );
    case "reorged":
      return (
        <Notice tone="warn" title="Its block left the chain" isUrgent>
          <p>
            Block {state.was.number} was replaced by another one. The transaction waits again and is usually
            included by itself; do nothing for now.
          </p>
          <Link hash={state.sent.hash} />
        </Notice>
      );
    case "replaced":
      return (
        <Notice
          tone="warn"
          title={state.isCancelled ? "You cancelled it in your wallet" : "Another transaction took its place"}
          isUrgent
          actions={<Button onClick={onDismiss}>Begin again</Button>}
        >
          <p>
            {state.isCancelled
              ? "Nothing happened to the agreement."
              : "Your account sent something else with the same number, so this one can’t be included any more."}
          </p>
          <Link hash={state.by} />
        </Notice>
      );
    case "reverted":
      return (
        <Ended tone="fail" title="It failed in its block" words={state.words} onDismiss={onDismiss}>
          <Link hash={state.sent.hash} />
        </Ended>
      );
    case "final":
      return (
        <Notice tone="pass" title={done} actions={<Button onClick={onDismiss}>Close</Button>}>
          <p>It is final: block {state.place.number} can’t leave the chain any more.</p>
          <Link hash={state.sent.hash} />
        </Notice>
      );
  }
}

function Ended({
  title,
  words,
  tone = "warn",
  onDismiss,
  children,
}: {
  readonly title: string;
  readonly words: Words;
  readonly tone?: Tone;
  readonly onDismiss?: () => void;
  readonly children?: React.ReactNode;
}) {
  return (
    <Notice
      tone={tone}
      title={title}
      isUrgent
      actions={onDismiss !== undefined && <Button onClick={onDismiss}>Close</Button>}
    >
      <p>{words.message}</p>
      <p>{words.hint}</p>
      {children}
    </Notice>
  );
}

function Link({ hash }: { readonly hash: Hex }) {
  const { explorer } = useNetwork().profile.evm;
  return (
    <p className="row">
      Transaction{" "}
      <Hash
        value={hash}
        what="transaction"
        wrap={(shown) =>
          explorer === undefined ? (
            shown
          ) : (
            <a href={`${explorer.replace(/\/+$/, "")}/tx/${hash}`} target="_blank" rel="noopener noreferrer">
              {shown}
            </a>
          )
        }
      />
    </p>
  );
}
