import { RpcError } from "@assay/evidence";
import { explainReason, explainRevert, type Wording, printable } from "@assay/protocol";
import { RefusedError } from "../errors.ts";
import { CallRevertedError } from "./node.ts";

/** What a contract, or a node in its place, refused, in words. Other errors come back as they are. */
export function refusalOf(error: unknown, title: string, wording: Wording): unknown {
  if (error instanceof CallRevertedError) {
    const words =
      error.data === "0x"
        ? (textIn(error.reason) ?? explainRevert("0x"))
        : explainRevert(error.data, wording);
    const message = printable(words.message);
    return new RefusedError(words.name, `${title}: refused. ${message}`, words.hint, { cause: error });
  }
  if (error instanceof RpcError && isOutOfGasMoney(error))
    return new RefusedError(
      "gas_money_missing",
      `${title}: the account can't pay for gas`,
      "Send it some of the network's own coin (ETH), or let another wallet send: signatures do not need gas.",
      { cause: error },
    );
  return error;
}

/** Whether a node refused because the account has too little of the network's own coin. */
export function isOutOfGasMoney({ reason }: RpcError): boolean {
  return /insufficient funds|insufficient balance|OutOfFunds/i.test(reason);
}

/** Nodes that give no data often quote the contract's text. */
function textIn(reason: string): ReturnType<typeof explainReason> | null {
  const [, text] =
    /revert(?:ed)?(?: with reason string| with reason)?:? ['"]?([^'"]+)['"]?$/i.exec(reason) ?? [];
  return text === undefined || text.trim() === "" ? null : explainReason(text.trim());
}
