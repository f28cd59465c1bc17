import { blockHash, encodeEvmReceipt, encodeEvmTransaction, encodeLogs } from "../codecs/evm.ts";
import { encodeStudioTransaction } from "../codecs/studio.ts";
import { answerView, type FindTransaction } from "../codecs/testnet.ts";
import { AWAITING_FINALITY } from "../consensus/consensus.ts";
import type { Hex } from "../execution/executor.ts";
import { accountOf, ingest } from "../ingest.ts";
import type { EvmRecord, TransactionInput } from "../ledger/records.ts";
import { findTransaction, type MethodContext, requireTransaction } from "./context.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";
import { parseBlock, parseLogFilter } from "./log-filter.ts";
import { asAddress, asHash, asObject, asText, toQuantity } from "./params.ts";
import type { RpcMethod } from "./server.ts";

/** The `eth_*` methods. */
export function ethMethods(context: MethodContext): Readonly<Record<string, RpcMethod>> {
  const { kind, ledger, engine, clock } = context;
  const inputOf = (evm: EvmRecord): TransactionInput | undefined =>
    evm.txId === null ? undefined : ledger.inputs.get(evm.txId);
  return {
    eth_chainId: () => toQuantity(context.identity.chainId),
    net_version: () => String(context.identity.chainId),
    web3_clientVersion: () => "assay-localnet",
    eth_syncing: () => false,
    eth_blockNumber: () => toQuantity(ledger.blockNumber()),
    eth_gasPrice: () => "0x0",
    eth_estimateGas: () => "0x7a120",
    eth_getTransactionCount: ([address]) =>
      toQuantity(accountOf(ledger, asAddress(address, "the address")).nonce),
    eth_getBalance: ([address]) =>
      toQuantity(BigInt(accountOf(ledger, asAddress(address, "the address")).balance)),
    eth_sendRawTransaction: ([raw]) =>
      ingest({ kind, ledger, engine, clock, identity: () => context.identity }, raw),
    eth_getTransactionReceipt([hash]) {
      const evm = ledger.evm.get(asHash(hash, "the transaction hash"));
      return evm === undefined ? null : encodeEvmReceipt(kind, evm, inputOf(evm));
    },
    eth_getTransactionByHash([hash]) {
      const id = asHash(hash, "the transaction hash");
      const evm = ledger.evm.get(id);
      if (evm !== undefined && (kind === "testnet" || evm.txId === null)) {
        return encodeEvmTransaction(evm, context.identity.chainId);
      }
      return kind === "testnet" ? null : encodeStudioTransaction(requireTransaction(context, id));
    },
    eth_getBlockByNumber([tag]) {
      const number = parseBlock(tag, ledger.blockNumber());
      if (number > ledger.blockNumber()) return null;
      const evm = [...ledger.evm.values()].find(({ blockNumber }) => blockNumber === number);
      return {
        number: toQuantity(number),
        hash: blockHash(number),
        parentHash: blockHash(number - 1),
        timestamp: toQuantity(Math.floor((evm?.at ?? clock.now()) / 1000)),
        transactions: evm === undefined ? [] : [evm.hash],
        gasLimit: "0x1c9c380",
        gasUsed: "0x5208",
      };
    },
    eth_getLogs([given]) {
      const filter = parseLogFilter(asObject(given, "the filter"), ledger.blockNumber());
      return [...ledger.evm.values()]
        .filter(({ blockNumber }) => blockNumber >= filter.fromBlock && blockNumber <= filter.toBlock)
        .flatMap((evm) => encodeLogs(kind, evm, inputOf(evm)))
        .filter((log) => filter.matches(log));
    },
    ...(kind === "testnet" ? { eth_call: ethCall(context), eth_getCode: ethGetCode(context) } : {}),
  };
}

/** Stands for the code of the network's own contracts; nothing ever runs it. */
const PLACEHOLDER_CODE = "0xfe";

function ethGetCode(context: MethodContext): RpcMethod {
  return ([address]) => {
    const { consensusMain, consensusData, appealContracts } = context.identity;
    const own = [consensusMain, consensusData, ...Object.values(appealContracts ?? {})];
    return own.includes(asAddress(address, "the address")) ? PLACEHOLDER_CODE : "0x";
  };
}

function ethCall(context: MethodContext): RpcMethod {
  const canAppeal = (id: Hex): boolean => {
    const view = findTransaction(context, id);
    return (
      view !== undefined &&
      AWAITING_FINALITY.has(view.record.consensus.status) &&
      !context.engine.isReadyToFinalize(view.record, context.clock.now())
    );
  };
  return ([call]) => {
    const { data, to } = asObject(call, "the call");
    const { consensusData, appealContracts } = context.identity;
    const target = asAddress(to, "the contract");
    if (target !== consensusData && !Object.values(appealContracts ?? {}).includes(target)) return "0x";
    const find: FindTransaction = (id, timestamp) =>
      findTransaction(context, id, Math.max(context.clock.now(), Number(timestamp ?? 0n) * 1000));
    const answer = answerView(asText(data, "the data"), find, canAppeal);
    if (answer === undefined)
      throw new RpcError(RPC_ERRORS.executionFailed, "execution reverted: no such function");
    return answer;
  };
}
