import type { Wording } from "@assay/protocol";
import { readToken, type Token } from "./escrow/contracts.ts";
import type { Io } from "./io.ts";
import { networkOf, type Network, type NetworkOptions } from "./options/network.ts";
import type { WriteOptions } from "./options/write.ts";
import { openJournal } from "./transact/journal.ts";
import { createNode, requireChain, type Node } from "./transact/node.ts";
import type { Transacting } from "./transact/transact.ts";
import type { Wallet } from "./wallet/signer.ts";

/** A network that answers, and is the right one. */
export interface Session {
  readonly io: Io;
  /** With the chain id that the node answered with. */
  readonly network: Network & { readonly chainId: number };
  readonly node: Node;
  readonly token: Token;
  /** Amounts in the token's units. */
  readonly wording: Wording;
}

/**
 * Opens the network that options name.
 *
 * @throws UsageError when none is named; UnavailableError when it does not answer, or is another one.
 */
export async function openSession(options: NetworkOptions, io: Io): Promise<Session> {
  const network = networkOf(options);
  const node = createNode(network.rpcUrl);
  const chainId = await requireChain(node, network.chainId);
  const token = await readToken(node, network.escrow);
  return { io, node, token, wording: { token }, network: { ...network, chainId } };
}

/** What transactions of a session need. */
export function transacting(
  { io, node, network, wording }: Session,
  wallet: Wallet | null,
  options: WriteOptions,
): Transacting {
  const journal = openJournal(io.env, network.chainId, network.escrow);
  return { io, node, chainId: network.chainId, journal, wallet, options, wording };
}
