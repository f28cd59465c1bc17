import { AbiCoder } from "ethers";
import {
  proveReceipt,
  toAddress,
  type Address,
  type Evidence,
  type Hex,
  type TransactionEvidence,
} from "@assay/protocol";
import { UnavailableError, UnknownAgreementError } from "../error.ts";
import { RpcError } from "../rpc.ts";
import type { Chain, Receipt } from "./chain.ts";
import { selectorOf } from "./chain.ts";

type EvmEvidence = Evidence["evm"];
type Gap = Evidence["gaps"][number];

/** Where to look for an agreement. */
export interface Whereabouts {
  readonly agreementId: Hex;
  readonly escrow: Address;
  /** The chain that the escrow is on; null to take the node's. */
  readonly chainId: number | null;
  /** No event of the agreement is older. */
  readonly fromBlock: number;
  /** False to leave proofs of inclusion out, which take every receipt of every block involved. */
  readonly proofs?: boolean;
}

/**
 * Everything that the chain says about an agreement, with proofs where the node's answers amount to them.
 *
 * @throws UnavailableError when the node is of another chain or has no escrow there; UnknownAgreementError when the
 * escrow knows no such agreement.
 */
export async function readEvm(chain: Chain, where: Whereabouts): Promise<{ evm: EvmEvidence; gaps: Gap[] }> {
  const { origin } = chain.rpc;
  const { agreementId, escrow } = where;
  const chainId = await chain.chainId();
  if (where.chainId !== null && where.chainId !== chainId)
    throw new UnavailableError(
      `${origin} is a node of chain ${chainId}, not of chain ${where.chainId}`,
      "Give the RPC URL of the escrow's chain, or correct the chain id.",
    );
  if (!(await chain.hasCode(escrow)))
    throw new UnavailableError(
      `there is no contract at ${escrow} on chain ${chainId}`,
      "Check the escrow's address, and that the RPC URL belongs to its chain.",
    );
  const [hashes, finalizedBlock, token] = await Promise.all([
    chain.transactionsAbout(escrow, agreementId, where.fromBlock),
    chain.finalizedHeight(),
    tokenOf(chain, escrow),
  ]);
  if (hashes.length === 0)
    throw new UnknownAgreementError(
      `the escrow at ${escrow} on chain ${chainId} knows no agreement ${agreementId}`,
      "Check the id, the escrow and the chain; the first block searched must not lie behind its funding.",
    );
  const read = await Promise.all(hashes.map((hash) => readTransaction(chain, hash)));
  const blocks = await Promise.all(
    [...new Set(read.map(({ receipt }) => receipt.blockHash))].map((hash) => chain.block(hash)),
  );
  const proofs = await Promise.all(
    (where.proofs === false ? [] : blocks).map((block) =>
      prove(
        chain,
        block,
        read.filter(({ receipt }) => receipt.blockHash === block.hash),
      ),
    ),
  );
  const fault = proofs.find((proof) => typeof proof === "string");
  const proofOf = new Map(proofs.flatMap((proof) => (typeof proof === "string" ? [] : [...proof])));
  const transactions = read.map(({ receipt, to, input }): TransactionEvidence => ({
    hash: receipt.transactionHash,
    block: receipt.blockHash,
    index: receipt.transactionIndex,
    to,
    input,
    logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
    receiptProof: proofOf.get(receipt.transactionHash) ?? null,
  }));
  const gaps: Gap[] = [];
  if (fault !== undefined) gaps.push({ subject: "proofs", reason: `not included: ${fault}` });
  if (finalizedBlock === null)
    gaps.push({ subject: "finality", reason: "the node does not say which block is final" });
  return {
    evm: {
      chainId,
      escrow,
      token,
      finalizedBlock,
      blocks: blocks.map(({ number, hash, timestamp, header }) => ({ number, hash, timestamp, header })),
      transactions,
      contractSignatures: [],
    },
    gaps,
  };
}

interface ReadTransaction {
  readonly receipt: Receipt;
  readonly to: Address | null;
  readonly input: Hex;
}

async function readTransaction(chain: Chain, hash: Hex): Promise<ReadTransaction> {
  const [receipt, { to, input }] = await Promise.all([chain.receipt(hash), chain.transaction(hash)]);
  return { receipt, to, input };
}

/** Proofs of the transactions of one block by transaction hash, or why there are none. */
async function prove(
  chain: Chain,
  block: { readonly hash: Hex; readonly receiptsRoot: Hex; readonly header: Hex | null },
  transactions: readonly ReadTransaction[],
): Promise<Map<Hex, Hex[]> | string> {
  if (block.header === null) return `the fields of block ${block.hash} do not amount to its hash`;
  let receipts: Receipt[];
  try {
    receipts = await chain.receiptsOf(block.hash);
  } catch (error) {
    if (error instanceof RpcError) return "the node does not hand out all receipts of a block";
    throw error;
  }
  const fields = receipts.map((receipt) => ({
    type: receipt.type,
    succeeded: receipt.status === 1,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    logsBloom: receipt.logsBloom,
    logs: receipt.logs,
    appended: [receipt.depositNonce, receipt.depositReceiptVersion].filter((value) => value !== undefined),
  }));
  const proofs = new Map<Hex, Hex[]>();
  for (const { receipt } of transactions) {
    const { root, proof } = proveReceipt(fields, receipt.transactionIndex);
    if (root !== block.receiptsRoot)
      return `the receipts of block ${block.hash} do not amount to its receipts root`;
    proofs.set(receipt.transactionHash, proof);
  }
  return proofs;
}

async function tokenOf(chain: Chain, escrow: Address): Promise<Address | null> {
  try {
    const returned = await chain.call(escrow, selectorOf("token()"), "latest");
    const [token] = AbiCoder.defaultAbiCoder().decode(["address"], returned) as unknown as [string];
    return toAddress(token);
  } catch (error) {
    if (error instanceof UnavailableError && !(error instanceof RpcError)) throw error;
    return null;
  }
}
