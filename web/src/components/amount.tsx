import { amountInWords } from "@assay/protocol";
import { useToken } from "../network/token.tsx";

/** An amount of the escrow's token, given in its base units, written with the decimals that the token's contract says. */
export function Amount({ value }: { readonly value: bigint }) {
  const token = useToken();
  if (token === undefined)
    return (
      <span className="amount pending" aria-busy="true">
        … <span className="sr-only">the token has not answered yet</span>
      </span>
    );
  return <span className="amount">{amountInWords(value, { token })}</span>;
}
