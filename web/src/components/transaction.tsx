import type { Hex } from "@assay/protocol";
import { useNetwork } from "../network/context.tsx";
import { Hash } from "./hash.tsx";

/** A transaction's hash, with a link to the chain's explorer where the network names one. */
export function Transaction({ hash, where }: { readonly hash: Hex; readonly where: "evm" | "genlayer" }) {
  const { profile } = useNetwork();
  const explorer = where === "evm" ? profile.evm.explorer : undefined;
  return (
    <Hash
      value={hash}
      what={where === "evm" ? "transaction" : "GenLayer transaction"}
      wrap={(shown) =>
        explorer === undefined ? (
          shown
        ) : (
          <a href={`${explorer.replace(/\/+$/, "")}/tx/${hash}`} target="_blank" rel="noopener noreferrer">
            {shown}
          </a>
        )
      }
    />
  );
}
