import "./wallet.css";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Copy } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Notice } from "../components/notice.tsx";
import { useNetwork } from "../network/context.tsx";
import { useWallet } from "./wallet.tsx";

const shortened = (account: string): string => `${account.slice(0, 6)}…${account.slice(-4)}`;

/** The wallet's button in the masthead: connects, shows the account, leads to the right network. */
export default function WalletButton() {
  const { connection, account } = useWallet();
  // Opened for one account: connecting, and changing the account in the wallet, close it.
  const [openFor, setOpenFor] = useState<{ readonly account: string | null } | null>(null);
  const isOpen = openFor !== null && openFor.account === account;
  const open = (): void => setOpenFor({ account });
  const close = (): void => setOpenFor(null);
  return (
    <>
      {account === null ? (
        <Button kind="primary" onClick={open}>
          {connection.name === "connecting" ? "Look at your wallet …" : "Connect a wallet"}
        </Button>
      ) : (
        <Button kind={connection.name === "wrong_network" ? "danger" : "plain"} onClick={open}>
          <span className="sr-only">Your wallet: </span>
          {connection.name === "wrong_network" ? "wrong network" : <code>{shortened(account)}</code>}
        </Button>
      )}
      {isOpen && (
        <Dialog title={account === null ? "Connect a wallet" : "Your wallet"} onClose={close}>
          {account === null ? <WalletChoice /> : <OwnWallet account={account} onDone={close} />}
        </Dialog>
      )}
    </>
  );
}

/** Every wallet of this browser, to choose from. */
export function WalletChoice() {
  const { connection, wallets, connect, look } = useWallet();
  if (wallets.length === 0)
    return (
      <Notice
        tone="warn"
        title="This browser has no wallet"
        actions={<Button onClick={look}>Look again</Button>}
      >
        <p>
          Install a wallet that announces itself to pages (EIP-6963; nearly all do), unlock it, and look
          again. Everything but paying and signing works without one, and the command line <code>assay</code>{" "}
          does both too.
        </p>
      </Notice>
    );
  return (
    <div className="stack">
      <ul className="wallets">
        {wallets.map((wallet) => (
          <li key={wallet.uuid}>
            <button
              type="button"
              className="wallet"
              disabled={connection.name === "connecting"}
              onClick={() => connect(wallet)}
            >
              {wallet.icon === null ? (
                <span className="wallet-icon" aria-hidden="true" />
              ) : (
                <img className="wallet-icon" src={wallet.icon} alt="" />
              )}
              <bdi>{wallet.name}</bdi>
              {connection.name === "connecting" && connection.wallet === wallet.uuid && (
                <span className="muted">waits for you</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {connection.name === "connecting" && (
        <Notice title="Look at your wallet">
          <p>It asks whether this page may see an account. Nothing can be spent by that.</p>
        </Notice>
      )}
      {connection.name === "refused" && (
        <Notice tone="warn" title={connection.words.message} isUrgent>
          <p>{connection.words.hint}</p>
        </Notice>
      )}
    </div>
  );
}

function OwnWallet({ account, onDone }: { readonly account: string; readonly onDone: () => void }) {
  const { connection, disconnect } = useWallet();
  return (
    <div className="stack">
      <p className="hash hash-whole">
        <code>{account}</code> <Copy text={account} what="your address" />
      </p>
      {connection.name === "wrong_network" && <WrongNetwork />}
      <div className="row">
        <Button
          onClick={() => {
            disconnect();
            onDone();
          }}
        >
          Disconnect
        </Button>
        <span className="muted small">To use another account, change it in your wallet.</span>
      </div>
    </div>
  );
}

/** Says that the wallet is on another network, and changes it. */
export function WrongNetwork() {
  const { connection, switchChain } = useWallet();
  const { label, profile } = useNetwork();
  if (connection.name !== "wrong_network") return null;
  return (
    <Notice
      tone="warn"
      title="Your wallet is on another network"
      actions={
        <Button kind="primary" disabled={connection.switching} onClick={switchChain}>
          {connection.switching ? "Look at your wallet …" : `Change to ${label}`}
        </Button>
      }
    >
      <p>
        It is on chain {connection.chainId}; these agreements live on {label}, chain {profile.evm.chainId}.
        Nothing can be signed or sent from here until it changes.
      </p>
      {connection.words !== null && (
        <p role="alert">
          {connection.words.message} {connection.words.hint}
        </p>
      )}
    </Notice>
  );
}
