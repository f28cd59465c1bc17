import { agreementEscrowAbi, interfaceOf, type Address } from "@assay/protocol";
import { Amount } from "../components/amount.tsx";
import { Notice } from "../components/notice.tsx";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { view } from "../network/token.tsx";

/** Money that waits for a party because the token refused to pay it out. */
export function Credit({ party }: { readonly party: Address }) {
  const { profile, chain } = useNetwork();
  const { value } = useResource(`${profile.name}/credit/${party}`, {
    load: () => view<bigint>(chain, interfaceOf(agreementEscrowAbi), profile.evm.escrow, "creditOf", [party]),
  });
  if (value === undefined || value === 0n) return null;
  return (
    <Notice tone="warn" title="A credit waits for this account">
      <p>
        The token refused to pay out <Amount value={value} />. It waits in the escrow; only this account can
        withdraw it, to any address that the token pays.
      </p>
    </Notice>
  );
}
