import { isSameAddress, type Address, type Wording } from "@assay/protocol";
import type { ChainNode, NodeTransaction } from "./node.ts";
import { simulate } from "./simulate.ts";
import type { Look, Rival, Sent } from "./transaction.ts";

/** Blocks that are searched at most for what took a transaction's nonce. */
const SEARCHED_BLOCKS = 100;

/** Looks once at what became of a transaction. */
export async function lookAt(node: ChainNode, sent: Sent, wording: Wording): Promise<Look> {
  const [receipt, finalHeight] = await Promise.all([node.receipt(sent.hash), node.finalHeight()]);
  if (receipt !== null) {
    const place = { number: receipt.blockNumber, hash: receipt.blockHash };
    const words = receipt.succeeded ? NO_WORDS : await failureIn(node, sent, place.number, wording);
    return {
      receipt: { place, succeeded: receipt.succeeded, words },
      isKnown: true,
      nonce: sent.nonce,
      finalHeight,
      rival: null,
    };
  }
  const found = await node.transaction(sent.hash);
  const nonce = found?.nonce ?? sent.nonce;
  const isOvertaken = nonce !== null && (await node.nonce(sent.from)) > nonce;
  const rival = isOvertaken ? await findRival(node, { ...sent, nonce }) : null;
  return { receipt: null, isKnown: found !== null, nonce, finalHeight, rival };
}

const NO_WORDS = { message: "", hint: "" };

async function failureIn(node: ChainNode, sent: Sent, height: number, wording: Wording) {
  const words = await simulate(node, sent.call, sent.from, wording, height - 1);
  return (
    words ?? {
      message: "The transaction is in a block, and failed there.",
      hint: "Something changed between its simulation and its block. Nothing but gas was spent; try again to hear what.",
    }
  );
}

/** Null when nobody finds it yet, or it is the very transaction: receipts may trail behind their blocks. */
async function findRival(node: ChainNode, sent: Sent & { readonly nonce: number }): Promise<Rival | null> {
  const height = await node.height();
  const first = Math.max(sent.sinceBlock, height - SEARCHED_BLOCKS);
  for (let at = height; at >= first; at--) {
    const used = (await node.transactionsIn(at)).find(
      (one) => one.nonce === sent.nonce && isSameAddress(one.from as Address, sent.from),
    );
    if (used === undefined) continue;
    return used.hash === sent.hash ? null : { hash: used.hash, kind: kindOf(used, sent) };
  }
  return null;
}

function kindOf(used: NodeTransaction, { from, call }: Sent): Rival["kind"] {
  if (used.to === null) return "other";
  if (isSameAddress(used.to as Address, call.to) && used.data.toLowerCase() === call.data.toLowerCase())
    return "same_call";
  return isSameAddress(used.to as Address, from) && used.data === "0x" ? "cancelled" : "other";
}
