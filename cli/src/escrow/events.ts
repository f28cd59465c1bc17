import { createChain, type Chain } from "@assay/evidence";
import {
  agreementEscrowAbi,
  agreementIdOf,
  interfaceOf,
  termsFromEvent,
  type Address,
  type Hex,
  type Terms,
  type TermsStruct,
} from "@assay/protocol";
import { UnavailableError } from "../errors.ts";

/** One thing that the escrow logged about an agreement. */
export interface EscrowEvent {
  readonly name: string;
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  /** Unix time of the block. */
  readonly timestamp: number;
  /** Arguments by name, without the agreement's id; terms left out. */
  readonly data: Readonly<Record<string, string>>;
}

/** Everything that the escrow logged about an agreement, and the terms it was funded with. */
export interface EscrowHistory {
  readonly terms: Terms;
  readonly events: readonly EscrowEvent[];
}

/** Where the escrow's logs are read. */
export interface LogPlace {
  readonly rpcUrl: string;
  readonly escrow: Address;
  readonly fromBlock: number;
}

/**
 * Reads what the escrow logged about an agreement, in the chain's order; null when it never logged anything.
 *
 * @throws UnavailableError when the node can't be asked, or terms that it shows are not those of the agreement.
 */
export async function readHistory(
  { rpcUrl, escrow, fromBlock }: LogPlace,
  chainId: number,
  agreementId: Hex,
): Promise<EscrowHistory | null> {
  const chain = createChain(rpcUrl);
  const hashes = await chain.transactionsAbout(escrow, agreementId, fromBlock);
  const found = await Promise.all(hashes.map((hash) => eventsIn(chain, hash, escrow, agreementId)));
  const terms = found.flatMap((part) => part.terms ?? [])[0];
  if (terms === undefined) return null;
  if (agreementIdOf(terms, chainId, escrow) !== agreementId)
    throw new UnavailableError(
      `${chain.rpc.origin} shows terms that are not those of agreement ${agreementId}`,
      "The node is faulty or lies; use another one.",
    );
  return { terms, events: found.flatMap(({ events }) => events) };
}

async function eventsIn(
  chain: Chain,
  transaction: Hex,
  escrow: Address,
  agreementId: Hex,
): Promise<{ readonly terms: Terms | null; readonly events: EscrowEvent[] }> {
  const receipt = await chain.receipt(transaction);
  const { number, timestamp } = await chain.block(receipt.blockHash);
  let terms: Terms | null = null;
  const events: EscrowEvent[] = [];
  for (const log of receipt.logs) {
    if (log.address !== escrow || log.topics[1] !== agreementId) continue;
    const event = interfaceOf(agreementEscrowAbi).parseLog({ topics: [...log.topics], data: log.data });
    if (event === null) continue;
    if (event.name === "Funded") terms = termsFromEvent(event.args["terms"] as TermsStruct);
    const data: Record<string, string> = {};
    for (const [index, { name }] of event.fragment.inputs.entries())
      if (name !== "agreementId" && name !== "terms") data[name] = String(event.args[index]);
    events.push({ name: event.name, transactionHash: transaction, blockNumber: number, timestamp, data });
  }
  return { terms, events };
}
