import { findDocument, operatorSource } from "@assay/evidence";
import {
  isHash,
  parseAgreement,
  utf8Encode,
  type Address,
  type Agreement,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { UnavailableError, UsageError } from "../errors.ts";
import { readHistory } from "../escrow/events.ts";
import type { Network } from "../options/network.ts";
import { readDeal, type QuorumMembers } from "./deal-file.ts";

/** An agreement that somebody named by its file or by its id. */
export interface OpenedDeal {
  readonly agreementId: Hex;
  readonly terms: Terms;
  /** Null when it was named by its id: terms on chain hold a hash of it only. */
  readonly quorum: QuorumMembers | null;
  /** The document, when the file had it. */
  readonly agreement: { readonly document: Agreement; readonly bytes: Uint8Array } | null;
}

/**
 * Opens an agreement: from its file, or by its id from the chain.
 *
 * @throws UsageError when the file belongs to another chain or escrow, or the argument is neither a file nor an id;
 * UnavailableError when the chain knows no such agreement.
 */
export async function openDeal(
  named: string,
  network: Pick<Network, "rpcUrl" | "escrow" | "fromBlock">,
  chainId: number,
): Promise<OpenedDeal> {
  const id = named.toLowerCase();
  if (!isHash(id)) return fromFile(named, network.escrow, chainId);
  const history = await readHistory(network, chainId, id);
  if (history === null)
    throw new UnavailableError(
      `the escrow at ${network.escrow} on chain ${chainId} knows no agreement ${id}`,
      "Check the id and the network. Before it is funded, name the agreement by its file.",
    );
  return { agreementId: id, terms: history.terms, quorum: null, agreement: null };
}

/**
 * The agreement's document: from its file, else from the operators, by its hash.
 *
 * @throws UnavailableError when nobody has it.
 */
export async function documentOf(
  { terms, agreement }: OpenedDeal,
  operators: readonly string[],
): Promise<{ readonly document: Agreement; readonly bytes: Uint8Array }> {
  if (agreement !== null) return agreement;
  const found = await findDocument(operators.map(operatorSource), terms.agreementHash);
  if ("reason" in found)
    throw new UnavailableError(
      `the agreement's document can't be had: ${found.reason}`,
      "Name operators with --operator, or name the agreement by its file.",
    );
  const bytes = utf8Encode(found.text);
  return { document: parseAgreement(bytes), bytes };
}

async function fromFile(path: string, escrow: Address, chainId: number): Promise<OpenedDeal> {
  const deal = await readDeal(path);
  if (deal.chainId !== chainId || deal.escrow !== escrow)
    throw new UsageError(
      `${path} is for the escrow ${deal.escrow} on chain ${deal.chainId}, not for ${escrow} on chain ${chainId}`,
      "Name the right network with --network, or --rpc-url and --escrow.",
    );
  const { agreementId, terms, quorum, agreement, document } = deal;
  return { agreementId, terms, quorum, agreement: { document: agreement, bytes: document } };
}
