import { getAddress, keccak256, ZeroAddress } from "ethers";

import type { Clock } from "./clock.ts";
import { ConsensusError } from "./consensus/consensus.ts";
import { toBase64 } from "./engine/runs.ts";
import type { Engine } from "./engine/engine.ts";
import type { Hex } from "./execution/executor.ts";
import type { ChainKind } from "./kinds.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { AccountRecord, TransactionInput } from "./ledger/records.ts";
import { type ConsensusCall, decodeConsensusCall, PayloadError } from "./payload.ts";
import { decodeRawTransaction, RawTransactionError, type SignedTransaction } from "./raw-transaction.ts";
import { RPC_ERRORS, RpcError } from "./rpc/errors.ts";

/** What raw transactions are checked against and handed to. */
export interface IngestContext {
  readonly kind: ChainKind;
  /** Read at each call: a fault may change them. */
  readonly identity: () => { readonly chainId: number; readonly consensusMain: Hex };
  readonly ledger: Ledger;
  readonly engine: Engine;
  readonly clock: Clock;
}

/**
 * Takes a raw transaction to ConsensusMain: the EVM side of the network.
 *
 * The same bytes again change nothing. The nonce is enforced on the testnet kind only, as Studio counts it but does
 * not enforce it. A call that ConsensusMain would revert (an appeal of what cannot be appealed) still becomes a
 * transaction, with a receipt that says so.
 *
 * @returns keccak-256 of the raw bytes
 * @throws {@link RpcError} when the transaction is refused
 */
export function ingest(context: IngestContext, raw: unknown): Hex {
  const signed = decodeOrRefuse(() => decodeRawTransaction(raw));
  if (context.ledger.evm.get(signed.hash) !== undefined) return signed.hash;
  check(context, signed);
  const call = decodeOrRefuse(() => decodeConsensusCall(signed.data));
  if (call.function === "addTransaction") checkAddition(context, signed, call);
  const account = accountOf(context.ledger, signed.from);
  context.ledger.atomically(() => {
    context.ledger.accounts.put(signed.from, { ...account, nonce: account.nonce + 1 });
    const outcome =
      call.function === "addTransaction"
        ? add(context, signed, call)
        : applyToExisting(context, signed, call);
    context.ledger.evm.put(signed.hash, {
      hash: signed.hash,
      blockNumber: context.ledger.blockNumber() + 1,
      from: signed.from,
      to: signed.to,
      nonce: Number(signed.nonce),
      value: signed.value.toString(),
      data: signed.data,
      at: context.clock.now(),
      ...outcome,
    });
  });
  return signed.hash;
}

/** A sender as it stands; one never seen has nothing. */
export function accountOf(ledger: Ledger, address: Hex): AccountRecord {
  return ledger.accounts.get(address) ?? { address, nonce: 0, balance: "0" };
}

function decodeOrRefuse<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RawTransactionError || error instanceof PayloadError) {
      throw new RpcError(RPC_ERRORS.invalidParams, error.message, undefined, { cause: error });
    }
    throw error;
  }
}

function check({ kind, identity, ledger }: IngestContext, signed: SignedTransaction): void {
  const { chainId, consensusMain } = identity();
  if (signed.chainId !== BigInt(chainId)) {
    throw new RpcError(
      RPC_ERRORS.invalidParams,
      `the transaction is signed for chain ${signed.chainId.toString()}, this is ${chainId}`,
    );
  }
  if (signed.to !== consensusMain) {
    throw new RpcError(
      RPC_ERRORS.invalidParams,
      `the transaction goes to ${signed.to}, not to ConsensusMain ${consensusMain}`,
    );
  }
  const expected = accountOf(ledger, signed.from).nonce;
  if (kind === "testnet" && signed.nonce !== BigInt(expected)) {
    const relation = signed.nonce < BigInt(expected) ? "low" : "high";
    throw new RpcError(
      RPC_ERRORS.executionFailed,
      `nonce too ${relation}: next nonce ${expected}, tx nonce ${signed.nonce.toString()}`,
    );
  }
}

type AddTransaction = Extract<ConsensusCall, { function: "addTransaction" }>;
type Outcome = { readonly succeeded: boolean; readonly txId: Hex | null };

function checkAddition({ clock }: IngestContext, signed: SignedTransaction, call: AddTransaction): void {
  if (call.sender !== ZeroAddress && call.sender !== signed.from) {
    throw new RpcError(RPC_ERRORS.invalidParams, `${signed.from} signed a transaction of ${call.sender}`);
  }
  if (call.validUntil !== undefined && call.validUntil * 1000n <= BigInt(clock.now())) {
    throw new RpcError(
      RPC_ERRORS.executionFailed,
      `execution reverted: validUntil ${call.validUntil.toString()} has passed`,
    );
  }
}

function add(context: IngestContext, signed: SignedTransaction, call: AddTransaction): Outcome {
  const { ledger, clock, kind } = context;
  const id = kind === "studio" ? signed.hash : (keccak256(`${signed.hash}01`) as Hex);
  const { payload } = call;
  const input: TransactionInput = {
    id,
    evmHash: signed.hash,
    sequence: ledger.transactionCount() + 1,
    kind: payload.kind,
    sender: signed.from,
    contract:
      payload.kind === "deploy"
        ? (getAddress(`0x${keccak256(`${id}02`).slice(26)}`) as Hex)
        : (getAddress(call.recipient) as Hex),
    value: signed.value.toString(),
    nonce: Number(signed.nonce),
    validators: call.validators,
    maxRotations: call.maxRotations,
    mode: payload.mode,
    txData: call.txData,
    calldata: toBase64(payload.calldata),
    ...(payload.kind === "deploy" ? { code: toBase64(payload.code) } : {}),
    validUntil: Number(call.validUntil ?? 0n),
    createdAt: clock.now(),
  };
  context.engine.submit(input);
  return { succeeded: true, txId: id };
}

function applyToExisting(
  { ledger, engine }: IngestContext,
  signed: SignedTransaction,
  call: Exclude<ConsensusCall, AddTransaction>,
): Outcome {
  const ids = call.function === "finalizeIdlenessTxs" ? call.txIds : [call.txId];
  try {
    for (const id of ids) {
      const input = ledger.inputs.get(id);
      if (input === undefined) return { succeeded: false, txId: null };
      if (call.function === "submitAppeal") engine.appeal(input.id);
      else if (call.function !== "cancelTransaction") engine.finalize(input.id);
      else if (input.sender !== signed.from) return { succeeded: false, txId: null };
      else engine.cancel(input.id);
    }
    return { succeeded: true, txId: null };
  } catch (error) {
    if (error instanceof ConsensusError) return { succeeded: false, txId: null };
    throw error;
  }
}
