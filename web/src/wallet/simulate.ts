import { explainReason, explainRevert, type Address, type Wording, type Words } from "@assay/protocol";
import { isOutOfGasMoney, partsOf } from "./eip1193.ts";
import { CallReverted, type ChainNode } from "./node.ts";
import type { Call } from "./transaction.ts";

/**
 * Tries a call as its sender, without the wallet.
 *
 * @returns null when it would succeed, else why not, in words.
 */
export async function simulate(
  node: ChainNode,
  call: Call,
  from: Address,
  wording: Wording,
  block?: number,
): Promise<Words | null> {
  try {
    await node.call({ from, ...call }, block);
    return null;
  } catch (error) {
    return refusalInWords(error, wording);
  }
}

/** What a contract, or a node in its place, refused. */
export function refusalInWords(error: unknown, wording: Wording): Words {
  if (error instanceof CallReverted) {
    const reason = error.data === "0x" ? reasonIn(error.message) : null;
    return reason === null ? explainRevert(error.data, wording) : explainReason(reason);
  }
  const { message } = partsOf(error);
  if (isOutOfGasMoney(message))
    return {
      message: "The account can't pay for gas.",
      hint: "Send it some of the network's own coin (ETH), and try again.",
    };
  return {
    message: `It could not be tried on the chain: ${message === "" ? "no answer" : message.slice(0, 200)}.`,
    hint: "Nothing was sent. Check your connection, and try again.",
  };
}

/** Nodes that give no data often quote the contract's text. */
function reasonIn(message: string): string | null {
  const [, text] =
    /revert(?:ed)?(?: with reason string| with reason)?:? ['"]?([^'"]+)['"]?$/i.exec(message) ?? [];
  return text === undefined || text.trim() === "" ? null : text.trim();
}
