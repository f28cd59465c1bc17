import type { Hex } from "@assay/protocol";
import type { HashOwner } from "@assay/subgraph";
import type { Network } from "../network/network.ts";

/** Where a hash leads. */
export type HashFound =
  | { readonly kind: "agreement"; readonly agreementId: Hex }
  | { readonly kind: "owners"; readonly owners: readonly HashOwner[] }
  | { readonly kind: "transaction"; readonly agreementIds: readonly Hex[] }
  | { readonly kind: "nothing" };

/**
 * Finds what has a hash: an agreement by its id, or else by its document, submission, verdict or a transaction.
 *
 * @throws NoSourceError when nobody can be asked.
 */
export async function findHash({ index, chain, profile }: Network, hash: Hex): Promise<HashFound> {
  if ((await index.agreement(hash)).value !== null) return { kind: "agreement", agreementId: hash };
  const owners = (await index.ownersOf(hash)).value;
  if (owners.length > 0) return { kind: "owners", owners };
  const receipt = await chain.receipt(hash).catch(() => null);
  const ids = receipt?.logs.flatMap(({ address, topics: [, id] }) =>
    address === profile.evm.escrow && id !== undefined && id !== hash ? [id] : [],
  );
  return ids === undefined || ids.length === 0
    ? { kind: "nothing" }
    : { kind: "transaction", agreementIds: [...new Set(ids)] };
}
