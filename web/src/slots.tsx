import type { ReactNode } from "react";
import type { AgreementView } from "./agreement/view.ts";

/** Holds the wallet for everything below it. */
export function WalletSlot({ children }: { readonly children: ReactNode }) {
  return children;
}

/** The wallet's button in the masthead. */
export function WalletButtonSlot() {
  return null;
}

/** What buyer, seller and anybody can do about an agreement now. */
export function ActionsSlot(_props: {
  readonly agreement: AgreementView;
  /** To be called when something has changed: everything is read again. */
  readonly onChanged: () => void;
}) {
  return null;
}
