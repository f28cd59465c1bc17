import { useState } from "react";
import { acceptanceTypedData, type Hex } from "@assay/protocol";
import type { AgreementView } from "../agreement/view.ts";
import { keyOf } from "../acts/act-keys.ts";
import type { ActProps } from "../acts/act-props.ts";
import { Button } from "../components/button.tsx";
import { CopyText } from "../components/copy-text.tsx";
import { Notice } from "../components/notice.tsx";
import { PasteField } from "../components/paste-field.tsx";
import { useNetwork } from "../network/context.tsx";
import { escrowCall } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { TransactionStatus } from "../wallet/transaction-status.tsx";
import { useSigning } from "../wallet/use-signing.ts";
import { useTransaction } from "../wallet/wallet.tsx";

/** The seller consents: by a transaction, or by a signature that somebody else sends. */
export function AcceptAct({ agreement }: ActProps) {
  const { evm } = useNetwork().profile;
  const { agreementId, terms } = agreement;
  const { state, begin } = useTransaction(keyOf("accept", agreementId));
  const signing = useSigning();
  const [signature, setSignature] = useState<Hex | null>(null);
  return (
    <NeedWallet purpose="to accept">
      {(writer) => (
        <div className="stack">
          <div className="row">
            <Button
              kind="primary"
              disabled={isUnderWay(state)}
              onClick={() =>
                begin(({ tell, keep }) => send(writer, escrowCall(evm.escrow, "accept", terms), tell, keep))
              }
            >
              Accept
            </Button>
            <Button
              disabled={signing.state.name === "asking"}
              onClick={() =>
                void signing
                  .ask(writer, acceptanceTypedData(agreementId, evm.chainId, evm.escrow))
                  .then(setSignature)
              }
            >
              Accept by signature, without gas
            </Button>
          </div>
          <TransactionStatus state={signing.state} done="" onDismiss={signing.dismiss} />
          {signature !== null && (
            <Notice tone="pass" title="You have signed your consent">
              <p>
                It counts once somebody sends it: give it to the buyer, who can do so on this page and pays
                the gas.
              </p>
              <CopyText text={signature} label="Your signature" what="the signature" />
            </Notice>
          )}
        </div>
      )}
    </NeedWallet>
  );
}

/** Sends the consent that the seller has signed; anybody may. */
export function SendConsent({ agreement }: { readonly agreement: AgreementView }) {
  const { escrow } = useNetwork().profile.evm;
  const { state, begin } = useTransaction(keyOf("accept", agreement.agreementId));
  const [text, setText] = useState("");
  const signature = text.trim();
  const isSignature = /^0x([0-9a-fA-F]{2}){65,}$/.test(signature);
  return (
    <details className="act">
      <summary>
        <span>Send the seller’s signed consent</span>
      </summary>
      <div className="stack">
        <p className="prose">
          The seller can accept by a signature alone. Whoever sends it pays the gas; after that the agreement
          can’t be cancelled.
        </p>
        <NeedWallet purpose="to send it">
          {(writer) => (
            <>
              <PasteField
                label="The seller’s signature"
                error={
                  signature === "" || isSignature
                    ? null
                    : "This is no signature. Paste all of it, from 0x on."
                }
                value={text}
                onChange={setText}
              />
              <div>
                <Button
                  kind="primary"
                  disabled={!isSignature || isUnderWay(state)}
                  onClick={() =>
                    begin(({ tell, keep }) =>
                      send(
                        writer,
                        escrowCall(escrow, "acceptWithSignature", agreement.terms, signature),
                        tell,
                        keep,
                      ),
                    )
                  }
                >
                  Send the consent
                </Button>
              </div>
            </>
          )}
        </NeedWallet>
      </div>
    </details>
  );
}
