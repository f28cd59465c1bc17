import { concat, getBytes, keccak256, toUtf8Bytes, verifyMessage } from "ethers";

import { encodeStudioListing } from "../codecs/studio.ts";
import { ConsensusError } from "../consensus/consensus.ts";
import type { Hex } from "../execution/executor.ts";
import { accountOf } from "../ingest.ts";
import { type MethodContext, requireTransaction } from "./context.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";
import { asAddress, asHash, asInteger, asSeconds, asText } from "./params.ts";
import type { RpcMethod } from "./server.ts";

/** Those of Studio's `sim_*` methods that clients use. */
export function simMethods(context: MethodContext): Readonly<Record<string, RpcMethod>> {
  const { ledger, engine, settings } = context;
  return {
    sim_fundAccount([address, amount]) {
      const account = accountOf(ledger, asAddress(address, "the account"));
      const balance = BigInt(account.balance) + BigInt(asInteger(amount, "the amount", 1));
      ledger.accounts.put(account.address, { ...account, balance: balance.toString() });
      return keccak256(toUtf8Bytes(`fund ${account.address} ${balance}`));
    },
    sim_cancelTransaction([hash, signature]) {
      const { input } = requireTransaction(context, asHash(hash, "the transaction id"));
      if (signerOfCancellation(input.id, asText(signature, "the signature")) !== input.sender) {
        throw new RpcError(RPC_ERRORS.invalidParams, "only its sender can cancel a transaction");
      }
      try {
        engine.cancel(input.id);
      } catch (error) {
        if (error instanceof ConsensusError) throw new RpcError(RPC_ERRORS.executionFailed, error.message);
        throw error;
      }
      return { transaction_hash: input.id, status: "CANCELED" };
    },
    sim_getTransactionsForAddress([address]) {
      const wanted = asAddress(address, "the address");
      return [...ledger.inputs.values()]
        .filter(({ sender, contract }) => sender === wanted || contract === wanted)
        .map(({ id }) => encodeStudioListing(requireTransaction(context, id)));
    },
    sim_setFinalityWindowTime([seconds]) {
      settings.finalityWindowMilliseconds = asSeconds(seconds, "the finality window");
      engine.reconsider();
      return null;
    },
    sim_getFinalityWindowTime: () => settings.finalityWindowMilliseconds / 1000,
    sim_countValidators: () => context.nodes.length,
    sim_getAllValidators: () => context.nodes.map(({ address, label }) => ({ address, stake: 1, ...label })),
  };
}

/** The signer of a cancellation as genlayer-js makes it, or undefined. */
function signerOfCancellation(id: Hex, signature: string): string | undefined {
  const digest = keccak256(concat([toUtf8Bytes("cancel_transaction"), id]));
  try {
    return verifyMessage(getBytes(digest), signature);
  } catch {
    return undefined;
  }
}
