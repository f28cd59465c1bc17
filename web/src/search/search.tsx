import { useState, type SubmitEvent } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../components/button.tsx";
import { Failure } from "../components/failure.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { useNetworkToCome } from "../network/context.tsx";
import type { HashFound } from "./find-hash.ts";

type State =
  | { readonly name: "idle" }
  | { readonly name: "looking" }
  | { readonly name: "wrong"; readonly words: string }
  | { readonly name: "failed"; readonly error: unknown }
  | { readonly name: "found"; readonly hash: string; readonly found: HashFound };

const ROLES = {
  agreement: "has it as its document",
  submission: "has it as its submission",
  verdict: "was decided by the verdict with this hash",
} as const;

/** One field for everything that can be looked up. */
export function Search() {
  const networkToCome = useNetworkToCome();
  const [, go] = useLocation();
  const [text, setText] = useState("");
  const [state, setState] = useState<State>({ name: "idle" });
  const look = async (): Promise<void> => {
    const [{ subjectOf }, { findHash }] = await Promise.all([
      import("./subject.ts"),
      import("./find-hash.ts"),
    ]);
    const subject = subjectOf(text);
    if (subject.kind === "nothing") setState({ name: "wrong", words: subject.words });
    else if (subject.kind === "party") go(`/party/${subject.address}`);
    else {
      setState({ name: "looking" });
      try {
        const found = await findHash(await networkToCome(), subject.hash);
        if (found.kind === "agreement") go(`/agreement/${found.agreementId}`);
        else setState({ name: "found", hash: subject.hash, found });
      } catch (error) {
        setState({ name: "failed", error });
      }
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void look();
  };
  const isWrong = state.name === "wrong";
  return (
    <form className="search" role="search" onSubmit={submit}>
      <label htmlFor="search">Look up an agreement, a party or a verdict</label>
      <div className="search-row">
        <input
          id="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={isWrong || undefined}
          aria-describedby="search-hint"
        />
        <Button type="submit" kind="primary" disabled={state.name === "looking"}>
          {state.name === "looking" ? "Looking …" : "Look up"}
        </Button>
      </div>
      <p id="search-hint" className={isWrong ? "error" : "hint"} role={isWrong ? "alert" : undefined}>
        {isWrong
          ? state.words
          : "An id, an address, or the hash of a document, a verdict or a transaction. A pasted link will do."}
      </p>
      {state.name === "failed" && (
        <Failure error={state.error} what="Index and chain" onRetry={() => void look()} />
      )}
      {state.name === "found" && <Found hash={state.hash} found={state.found} />}
    </form>
  );
}

function Found({ hash, found }: { readonly hash: string; readonly found: HashFound }) {
  if (found.kind === "owners" || found.kind === "transaction") {
    const lines =
      found.kind === "owners"
        ? found.owners.map(({ agreementId, role }) => ({ agreementId, words: ROLES[role], role }))
        : found.agreementIds.map((agreementId) => ({
            agreementId,
            words: "was changed by the transaction with this hash",
            role: "transaction" as const,
          }));
    return (
      <Notice tone="neutral" title={lines.length === 1 ? "One agreement" : `${lines.length} agreements`}>
        <ul>
          {lines.map(({ agreementId, words, role }) => (
            <li key={`${agreementId}${role}`}>
              <Hash
                value={agreementId}
                what="agreement id"
                wrap={(shown) => (
                  <Link href={role === "verdict" ? `/verdict/${hash}` : `/agreement/${agreementId}`}>
                    {shown}
                  </Link>
                )}
              />{" "}
              {words}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Nothing here has this hash" isUrgent>
      <p>
        It is neither an agreement of this escrow nor the hash of one of its documents, verdicts or
        transactions. Is it from another network? A transaction of the judge’s network is not looked for.
      </p>
    </Notice>
  );
}
