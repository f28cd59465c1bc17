import { Button } from "../components/button.tsx";
import { useNetwork } from "../network/context.tsx";
import { escrowCall } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import { keyOf } from "./act-keys.ts";
import type { ActProps } from "./act-props.ts";

/** An act that takes the terms and nothing else: cancel, concede, expire. */
export function SimpleAct({
  name,
  act,
  agreement,
  role,
}: ActProps & { readonly name: "cancel" | "concede" | "expire" }) {
  const { escrow } = useNetwork().profile.evm;
  const { state, begin } = useTransaction(keyOf(name, agreement.agreementId));
  return (
    <NeedWallet purpose="to do this">
      {(writer) => (
        <div>
          <Button
            kind={name === "expire" ? "primary" : "danger"}
            disabled={isUnderWay(state)}
            onClick={() =>
              begin(({ tell, keep }) => send(writer, escrowCall(escrow, name, agreement.terms), tell, keep))
            }
          >
            {name === "concede" && role === "buyer" ? "Pay the whole reward" : act.title}
          </Button>
        </div>
      )}
    </NeedWallet>
  );
}
