import { Suspense } from "react";
import type { AgreementView } from "./agreement/view.ts";
import { Button } from "./components/button.tsx";
import { Loading } from "./components/loading.tsx";
import { later } from "./layout/shown.ts";

const Actions = later(() => import("./acts/actions.tsx"));
const WalletButton = later(() => import("./wallet/wallet-button.tsx"));

/** The wallet's button in the masthead. */
export function WalletButtonSlot() {
  return (
    <Suspense
      fallback={
        <Button kind="primary" disabled>
          Connect a wallet
        </Button>
      }
    >
      <WalletButton />
    </Suspense>
  );
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
