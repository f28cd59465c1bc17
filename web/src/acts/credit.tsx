import { useState } from "react";
import { ProtocolError, toAddress, type Address } from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { readCredit, withdrawCall } from "../wallet/contracts.ts";
import { FollowedTransaction } from "../wallet/followed-transaction.tsx";
import { send } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { useTransaction, useWallet } from "../wallet/wallet.tsx";
import { writeAmount, type Token } from "./amount.ts";

const EVERY_MILLISECONDS = 4_000;

/** The connected account's credit: a payout that the token refused, and where to send it instead. */
export function Credit({ token, onChanged }: { readonly token: Token; readonly onChanged: () => void }) {
  const { account, node, writer } = useWallet();
  const { escrow } = useNetwork().profile.evm;
  const key = `withdraw/${account ?? "nobody"}`;
  const { state, begin } = useTransaction(key);
  const [to, setTo] = useState("");
  const { value: credit, reload } = useResource(`credit/${escrow}/${account ?? "nobody"}`, {
    every: EVERY_MILLISECONDS,
    load: () => (account === null ? Promise.resolve(0n) : readCredit(node, escrow, account)),
  });
  const target = addressIn(to);
  const moved = (): void => {
    reload();
    onChanged();
  };
  return (
    <>
      <FollowedTransaction of={key} done="Withdrawn" onMoved={moved} />
      {credit !== undefined && credit > 0n && (
        <Notice tone="hold" title={`${writeAmount(credit, token)} waits for you as a credit`}>
          <p>
            The token refused to pay it to your account, perhaps because its issuer blocks it or has stopped
            transfers. It is yours, and can be sent to any account; nobody else can take it.
          </p>
          <Field
            label="Send it to"
            hint="An account of yours that the token pays to."
            error={to.trim() === "" || "value" in target ? null : target.message}
          >
            {(control) => (
              <input
                {...control}
                className="code"
                value={to}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => setTo(event.target.value)}
              />
            )}
          </Field>
          <div className="row">
            <Button
              kind="primary"
              disabled={writer === null || !("value" in target) || isUnderWay(state)}
              onClick={() => {
                if (writer === null || !("value" in target)) return;
                begin(({ tell, keep }) => send(writer, withdrawCall(escrow, target.value), tell, keep));
              }}
            >
              Withdraw {writeAmount(credit, token)}
            </Button>
          </div>
        </Notice>
      )}
    </>
  );
}

function addressIn(text: string): { readonly value: Address } | { readonly message: string } {
  try {
    return { value: toAddress(text.trim()) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { message: `${error.message}. ${error.hint}` };
  }
}
