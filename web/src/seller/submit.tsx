import type { Hex } from "@assay/protocol";
import { keyOf } from "../acts/act-keys.ts";
import { publishDocument } from "../acts/publish.ts";
import type { AgreementView } from "../agreement/view.ts";
import { Button } from "../components/button.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { Text } from "../components/untrusted.tsx";
import { useNetwork } from "../network/context.tsx";
import { escrowCall } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send, type Writer } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import type { Packed } from "./delivery.ts";

/** Problems that are listed at once. */
const MOST_PROBLEMS = 20;

/** Why the file that was chosen is not opened; nothing when it was. */
export function OpenProblem({ problem }: { readonly problem: string | null }) {
  if (problem === null) return null;
  return (
    <Notice tone="fail" title="That can’t be opened" isUrgent>
      <p>
        <Text most={300}>{problem}</Text>
      </p>
    </Notice>
  );
}

/** What a delivery amounts to: its size and hash, or what is wrong with it. */
export function Outcome({ packed, lead = "" }: { readonly packed: Packed; readonly lead?: string }) {
  if ("problems" in packed)
    return (
      <Notice tone="fail" title="This can’t be delivered yet" isUrgent>
        <ul>
          {packed.problems.slice(0, MOST_PROBLEMS).map((text, index) => (
            <li key={index}>
              <Text most={300}>{text}</Text>
            </li>
          ))}
        </ul>
      </Notice>
    );
  return (
    <p className="row">
      {lead}
      {packed.document.length.toLocaleString("en-US")} bytes, SHA-256{" "}
      <Hash value={packed.hash} what="delivery hash" />
    </p>
  );
}

/** Says where the delivery is until it is handed in. */
export function Keeping({ isKept }: { readonly isKept: boolean }) {
  return isKept ? (
    <p className="hint">It stays in this tab, also when you reload it, until it is delivered.</p>
  ) : (
    <Notice tone="warn" title="This browser has no room to keep it">
      <p>If you reload the page before it is delivered, it has to be put together again.</p>
    </Notice>
  );
}

/** Hands the document to the operators, then its hash to the escrow. */
export function Submit({
  agreement: { agreementId, terms },
  packed,
  what,
  onSent,
}: {
  readonly agreement: AgreementView;
  /** Null while there is nothing to deliver. */
  readonly packed: Packed | null;
  /** What becomes public. */
  readonly what: string;
  /** Told once the wallet has sent the hash. */
  readonly onSent?: () => void;
}) {
  const { operators, profile } = useNetwork();
  const { state, begin } = useTransaction(keyOf("submit", agreementId));
  const whole = packed !== null && "hash" in packed ? packed : null;
  const submit = (writer: Writer, hash: Hex, document: Uint8Array): void =>
    begin(async ({ tell, keep }) => {
      await publishDocument(operators, hash, document);
      await send(writer, escrowCall(profile.evm.escrow, "submit", terms, hash), tell, keep);
      onSent?.();
    });
  return (
    <NeedWallet purpose="to deliver">
      {(writer) => (
        <div className="row">
          <Button
            kind="primary"
            disabled={whole === null || isUnderWay(state)}
            onClick={() => {
              if (whole !== null) submit(writer, whole.hash, whole.document);
            }}
          >
            Deliver
          </Button>
          <span className="muted small">
            {what} to the operators and become public; then your wallet is asked to send the hash.
          </span>
        </div>
      )}
    </NeedWallet>
  );
}
