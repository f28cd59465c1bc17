import { TypedDataEncoder } from "ethers";
import { toHash, type Address, type Hex, type TypedData, type Wording } from "@assay/protocol";
import { failureOf, type Eip1193Provider } from "./eip1193.ts";
import { lookAt } from "./look.ts";
import type { ChainNode } from "./node.ts";
import { simulate } from "./simulate.ts";
import { followed, type Call, type Sent, type Transaction, type TransactionEvent } from "./transaction.ts";

/** What writing needs. */
export interface Writer {
  readonly provider: Eip1193Provider;
  readonly account: Address;
  readonly node: ChainNode;
  /** How errors write amounts. */
  readonly wording: () => Wording;
}

/** Thrown after the state has told why it goes no further. */
export class Stopped extends Error {}

/**
 * Tries a call, has the wallet send it, and returns once it is sent; {@link follow} does the rest.
 *
 * @param tell told every event, for {@link nextTransaction}.
 * @param keep given what was sent before anything else happens, so that a reload can go on following it.
 * @throws Stopped when the chain or the wallet refused.
 */
export async function send(
  { provider, account, node, wording }: Writer,
  call: Call,
  tell: (event: TransactionEvent) => void,
  keep: (sent: Sent) => void,
): Promise<Sent> {
  const words = await simulate(node, call, account, wording());
  if (words !== null) {
    tell({ type: "refused", words });
    throw new Stopped();
  }
  const sinceBlock = await node.height();
  tell({ type: "asked", what: "send" });
  const hash = await asked(tell, async () =>
    toHash(
      String(
        await provider.request({
          method: "eth_sendTransaction",
          params: [{ from: account, to: call.to, data: call.data, value: "0x0" }],
        }),
      ).toLowerCase(),
    ),
  );
  const sent: Sent = { hash, from: account, call, nonce: null, sinceBlock };
  keep(sent);
  tell({ type: "sent", sent });
  return sent;
}

/**
 * Has the wallet sign typed data, in the form that it shows field by field.
 *
 * @throws Stopped when the wallet refused.
 */
export async function sign(
  { provider, account }: Pick<Writer, "provider" | "account">,
  { domain, types, message }: TypedData,
  tell: (event: TransactionEvent) => void,
): Promise<Hex> {
  const payload = JSON.stringify(TypedDataEncoder.getPayload(domain, types, message));
  tell({ type: "asked", what: "sign" });
  return asked(tell, async () => {
    const signature = await provider.request({ method: "eth_signTypedData_v4", params: [account, payload] });
    if (typeof signature !== "string" || !/^0x([0-9a-fA-F]{2})+$/.test(signature))
      throw new Error("it gave something that is no signature");
    return signature as Hex;
  });
}

async function asked<T>(tell: (event: TransactionEvent) => void, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { reason, ...words } = failureOf(error);
    tell({ type: reason === "rejected" ? "rejected" : "failed", words });
    throw new Stopped(reason, { cause: error });
  }
}

/**
 * Follows a transaction until nothing more can happen to it.
 *
 * @param current the state to go on from, read anew for each look.
 * @param wait resolves to false when nobody wants to know any more.
 */
export async function follow(
  { node, wording }: Pick<Writer, "node" | "wording">,
  current: () => Transaction,
  tell: (event: TransactionEvent) => void,
  wait: () => Promise<boolean>,
): Promise<void> {
  for (let sent = followed(current()); sent !== null; sent = followed(current())) {
    try {
      const look = await lookAt(node, sent, wording());
      tell({ type: "looked", look });
    } catch {
      // The node is away: what is known stays, and the next look may find more.
    }
    if (followed(current()) !== null && !(await wait())) return;
  }
}
