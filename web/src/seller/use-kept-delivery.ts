import { useMemo, useRef, useState } from "react";
import type { Hex } from "@assay/protocol";
import { useNetwork } from "../network/context.tsx";
import { stored } from "../wallet/storage.ts";
import { emptyDelivery, isEmptyDelivery, readKeptDelivery, type DeliveryDraft } from "./delivery.ts";

/** A delivery that is being put together and outlives a reload of its tab. */
export interface KeptDelivery {
  readonly draft: DeliveryDraft;
  /** False for one that this browser has no room for: a reload would lose it. */
  readonly isKept: boolean;
  /** Makes the next delivery of the last one, which may be newer than what is shown: files take a while to be read. */
  readonly change: (next: (last: DeliveryDraft) => DeliveryDraft) => void;
  /** Once it is on its way, nothing of it stays in the browser. */
  readonly forget: () => void;
}

/** The delivery of an agreement, kept in this tab alone: it may be nobody's business yet. */
export function useKeptDelivery(agreementId: Hex): KeptDelivery {
  const { profile } = useNetwork();
  const shelf = useMemo(
    () => stored(`assay/delivery/${profile.name}/${agreementId}`, "tab"),
    [profile.name, agreementId],
  );
  const [state, setState] = useState(() => ({
    draft: readKeptDelivery(shelf.read(), agreementId) ?? emptyDelivery(agreementId),
    isKept: true,
  }));
  const last = useRef(state.draft);
  return {
    ...state,
    change(next) {
      const draft = next(last.current);
      last.current = draft;
      const isEmpty = isEmptyDelivery(draft);
      if (isEmpty) shelf.remove();
      setState({ draft, isKept: isEmpty || shelf.write(JSON.stringify(draft)) });
    },
    forget: shelf.remove,
  };
}
