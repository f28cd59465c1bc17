import type { ReactNode } from "react";
import { isSameAddress, type Address } from "@assay/protocol";
import { Notice } from "../components/notice.tsx";
import type { Writer } from "./transact.ts";
import { WalletChoice, WrongNetwork } from "./wallet-button.tsx";
import { useWallet } from "./wallet.tsx";

/** Shows what needs a wallet once there is one, on the right network and of the right account; until then, what to do. */
export function NeedWallet({
  purpose,
  of,
  children,
}: {
  /** What the wallet is needed for, such as "to fund it". */
  readonly purpose: string;
  /** The only account that may do it. */
  readonly of?: { readonly account: Address; readonly role: string };
  readonly children: (writer: Writer) => ReactNode;
}) {
  const { connection, writer } = useWallet();
  if (connection.name === "wrong_network") return <WrongNetwork />;
  if (writer === null)
    return (
      <div className="stack">
        <p>Connect a wallet {purpose}.</p>
        <WalletChoice />
      </div>
    );
  if (of !== undefined && !isSameAddress(of.account, writer.account))
    return (
      <Notice tone="warn" title={`Only the ${of.role} can do this`}>
        <p>
          The {of.role} is <code>{of.account}</code>; your wallet is <code>{writer.account}</code>. Change the
          account in your wallet.
        </p>
      </Notice>
    );
  return children(writer);
}
