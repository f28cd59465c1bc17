import { useState } from "react";
import { settlementTypedData, writeSettlement, type Hex, type Settlement } from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { CopyText } from "../components/copy-text.tsx";
import { Field } from "../components/field.tsx";
import { Notice } from "../components/notice.tsx";
import { PasteField } from "../components/paste-field.tsx";
import { useNetwork } from "../network/context.tsx";
import { escrowCall } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send, type Writer } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { TransactionStatus } from "../wallet/transaction-status.tsx";
import { useSigning } from "../wallet/use-signing.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import { keyOf } from "./act-keys.ts";
import type { ActProps } from "./act-props.ts";
import { readAmount, writeAmount } from "./amount.ts";
import { SaveText } from "./save-text.tsx";
import { settlementFor } from "./settlement-file.ts";

/** Both sides sign one split; the half-signed one passes between them as a text. */
export function SettleAct({ agreement, role, token }: ActProps) {
  const { evm } = useNetwork().profile;
  const { agreementId, terms } = agreement;
  const { state, begin } = useTransaction(keyOf("settle", agreementId));
  const signing = useSigning();
  const [settlement, setSettlement] = useState<Settlement | null>(null);
  const [amount, setAmount] = useState("");
  const [given, setGiven] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const share = shareIn(amount, terms.reward, token);
  const other = role === "buyer" ? "seller" : "buyer";

  const signIt = async (writer: Writer, unsigned: Settlement): Promise<void> => {
    const signature = await signing.ask(
      writer,
      settlementTypedData(agreementId, unsigned.sellerAmount, evm.chainId, evm.escrow),
    );
    if (signature === null) return;
    setSettlement(
      role === "buyer"
        ? { ...unsigned, buyerSignature: signature }
        : { ...unsigned, sellerSignature: signature },
    );
  };
  const open = (text: string): void => {
    setGiven(text);
    setProblem(null);
    if (text.trim() === "") return;
    try {
      setSettlement(settlementFor(text, { chainId: evm.chainId, escrow: evm.escrow, agreementId, terms }));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <NeedWallet purpose="to sign">
      {(writer) =>
        settlement === null ? (
          <div className="stack">
            <Field
              label={`The seller’s part, in ${token.symbol}`}
              hint={`Of ${writeAmount(terms.reward, token)}; the rest goes back to the buyer.`}
              error={amount.trim() === "" || "value" in share ? null : `${share.message} ${share.hint}`}
            >
              {(control) => (
                <input
                  {...control}
                  value={amount}
                  inputMode="decimal"
                  autoComplete="off"
                  onChange={({ target }) => setAmount(target.value)}
                />
              )}
            </Field>
            {"value" in share && (
              <p className="meaning" role="status">
                The seller gets {writeAmount(share.value, token)}, the buyer gets back{" "}
                {writeAmount(terms.reward - share.value, token)}.
              </p>
            )}
            <div className="row">
              <Button
                kind="primary"
                disabled={!("value" in share) || !["idle", "rejected", "failed"].includes(signing.state.name)}
                onClick={() => {
                  if (!("value" in share)) return;
                  void signIt(writer, {
                    chainId: evm.chainId,
                    escrow: evm.escrow,
                    agreementId,
                    sellerAmount: share.value,
                    buyerSignature: null,
                    sellerSignature: null,
                  });
                }}
              >
                Sign this split
              </Button>
            </div>
            <PasteField
              label={`Or paste what the ${other} signed`}
              hint="The whole text of the settlement, or of its file."
              error={problem}
              value={given}
              onChange={open}
            />
            <TransactionStatus state={signing.state} done="" onDismiss={signing.dismiss} />
          </div>
        ) : (
          <div className="stack">
            <p className="meaning">
              The seller gets {writeAmount(settlement.sellerAmount, token)}, the buyer gets back{" "}
              {writeAmount(terms.reward - settlement.sellerAmount, token)}.
            </p>
            <Halves
              settlement={settlement}
              role={role}
              isBusy={isUnderWay(state) || signing.state.name === "asking"}
              onSign={() => void signIt(writer, settlement)}
              onSend={(buyer, seller) =>
                begin(({ tell, keep }) =>
                  send(
                    writer,
                    escrowCall(evm.escrow, "settle", terms, settlement.sellerAmount, buyer, seller),
                    tell,
                    keep,
                  ),
                )
              }
            />
            <TransactionStatus state={signing.state} done="" onDismiss={signing.dismiss} />
            <div>
              <Button kind="quiet" onClick={() => setSettlement(null)}>
                Another split
              </Button>
            </div>
          </div>
        )
      }
    </NeedWallet>
  );
}

/** Who has signed, and what is left to do. */
function Halves({
  settlement,
  role,
  isBusy,
  onSign,
  onSend,
}: {
  readonly settlement: Settlement;
  readonly role: ActProps["role"];
  readonly isBusy: boolean;
  readonly onSign: () => void;
  readonly onSend: (buyer: Hex, seller: Hex) => void;
}) {
  const { buyerSignature, sellerSignature } = settlement;
  const own = role === "buyer" ? buyerSignature : sellerSignature;
  const other = role === "buyer" ? "seller" : "buyer";
  if (buyerSignature !== null && sellerSignature !== null)
    return (
      <Notice
        tone="pass"
        title="Both sides have signed"
        actions={
          <Button kind="primary" disabled={isBusy} onClick={() => onSend(buyerSignature, sellerSignature)}>
            Settle
          </Button>
        }
      >
        <p>Whoever sends it pays the gas.</p>
      </Notice>
    );
  if (own === null)
    return (
      <Notice
        title={`The ${other} has signed this split`}
        actions={
          <Button kind="primary" disabled={isBusy} onClick={onSign}>
            Sign it too
          </Button>
        }
      >
        <p>With your signature anybody can settle the agreement so, as long as it lives.</p>
      </Notice>
    );
  const text = writeSettlement(settlement);
  return (
    <Notice
      title={`You have signed; now the ${other} has to`}
      actions={<SaveText name="settlement.json" text={text} label="Save as a file" />}
    >
      <p>
        Send this text to the {other}, who pastes it here or uses <code>assay settle sign</code>. It stands
        until the agreement ends, and can’t be taken back.
      </p>
      <CopyText text={text} label="The half-signed settlement" what="the settlement" />
    </Notice>
  );
}

function shareIn(text: string, reward: bigint, token: ActProps["token"]): ReturnType<typeof readAmount> {
  const read = readAmount(text, token);
  return "value" in read && read.value > reward
    ? { message: "This is more than the reward.", hint: `Write at most ${writeAmount(reward, token)}.` }
    : read;
}
