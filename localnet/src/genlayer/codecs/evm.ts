import { id as topicOf, keccak256, toBeHex, toUtf8Bytes, zeroPadValue } from "ethers";

import type { Hex } from "../execution/executor.ts";
import type { ChainKind } from "../kinds.ts";
import type { EvmRecord, TransactionInput } from "../ledger/records.ts";
import { toQuantity } from "../rpc/params.ts";

/** Topic 0 of `NewTransaction(txId, recipient, activator)`, all three indexed. */
export const NEW_TRANSACTION_TOPIC = topicOf("NewTransaction(bytes32,address,address)") as Hex;

const EMPTY_BLOOM = `0x${"0".repeat(512)}`;

/** A log as JSON-RPC shows it. */
export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly logIndex: Hex;
  readonly removed: false;
}

/** Each accepted raw transaction has a block of its own. */
export function blockHash(blockNumber: number): Hex {
  return keccak256(toUtf8Bytes(`assay localnet block ${blockNumber}`)) as Hex;
}

/** The logs of a raw transaction: NewTransaction when it added one. Studio shows the contract as their address. */
export function encodeLogs(
  kind: ChainKind,
  evm: EvmRecord,
  input: TransactionInput | undefined,
): readonly EvmLog[] {
  if (input === undefined) return [];
  return [
    {
      address: kind === "studio" ? input.contract : evm.to,
      topics: [
        NEW_TRANSACTION_TOPIC,
        input.id,
        zeroPadValue(input.contract.toLowerCase(), 32) as Hex,
        zeroPadValue(input.sender.toLowerCase(), 32) as Hex,
      ],
      data: "0x",
      blockNumber: toQuantity(evm.blockNumber),
      blockHash: blockHash(evm.blockNumber),
      transactionHash: evm.hash,
      transactionIndex: "0x0",
      logIndex: "0x0",
      removed: false,
    },
  ];
}

/** `eth_getTransactionReceipt`. Its status says only whether the raw transaction was taken, nothing of a verdict. */
export function encodeEvmReceipt(
  kind: ChainKind,
  evm: EvmRecord,
  input: TransactionInput | undefined,
): Record<string, unknown> {
  const isDeploy = input?.kind === "deploy";
  return {
    transactionHash: evm.hash,
    transactionIndex: "0x0",
    blockHash: blockHash(evm.blockNumber),
    blockNumber: toQuantity(evm.blockNumber),
    from: evm.from,
    to: kind === "studio" && input !== undefined ? input.contract : evm.to,
    contractAddress: kind === "studio" && isDeploy ? input.contract : null,
    gasUsed: "0x5208",
    cumulativeGasUsed: "0x5208",
    effectiveGasPrice: "0x0",
    type: "0x0",
    logsBloom: EMPTY_BLOOM,
    status: evm.succeeded ? "0x1" : "0x0",
    logs: encodeLogs(kind, evm, input),
  };
}

/** `eth_getTransactionByHash` for a raw transaction as such. */
export function encodeEvmTransaction(evm: EvmRecord, chainId: number): Record<string, unknown> {
  return {
    hash: evm.hash,
    blockHash: blockHash(evm.blockNumber),
    blockNumber: toQuantity(evm.blockNumber),
    transactionIndex: "0x0",
    from: evm.from,
    to: evm.to,
    nonce: toQuantity(evm.nonce),
    value: toBeHex(BigInt(evm.value)),
    input: evm.data,
    gas: "0x7a120",
    gasPrice: "0x0",
    type: "0x0",
    chainId: toQuantity(chainId),
  };
}
