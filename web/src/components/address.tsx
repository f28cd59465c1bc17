import { Link } from "wouter";
import type { Address as EvmAddress } from "@assay/protocol";
import { Hash } from "./hash.tsx";

/** An account, with a link to what is known about it as a party. */
export function Address({
  value,
  what = "address",
  isParty = true,
}: {
  readonly value: EvmAddress;
  readonly what?: string;
  /** False for contracts and operators, of which there is no page. */
  readonly isParty?: boolean;
}) {
  return (
    <Hash
      value={value}
      what={what}
      wrap={(shown) => (isParty ? <Link href={`/party/${value}`}>{shown}</Link> : shown)}
    />
  );
}
