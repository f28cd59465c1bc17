import { lazy, Suspense, type ReactNode } from "react";
import type { AgreementView } from "./agreement/view.ts";
import { Loading } from "./components/loading.tsx";
import { WalletButton } from "./wallet/wallet-button.tsx";
import { WalletProvider } from "./wallet/wallet.tsx";

const Actions = lazy(() => import("./acts/actions.tsx"));

/** Holds the wallet for everything below it. */
export function WalletSlot({ children }: { readonly children: ReactNode }) {
  return <WalletProvider>{children}</WalletProvider>;
}

/** The wallet's button in the masthead. */
export function WalletButtonSlot() {
  return <WalletButton />;
}

/** What buyer, seller and anybody can do about an agreement now. */
export function ActionsSlot(props: {
  readonly agreement: AgreementView;
  /** To be called when something has changed: everything is read again. */
  readonly onChanged: () => void;
}) {
  return (
    <Suspense fallback={<Loading what="what you can do" lines={4} />}>
      <Actions {...props} />
    </Suspense>
  );
}
