import { isStatus, isVote, type Vote } from "../consensus/names.ts";
import { toBase64 } from "../engine/runs.ts";
import { MANGLED_EFFECTS, type ModelFault } from "../faults/model-faults.ts";
import type { RpcFault } from "../faults/rpc-faults.ts";
import type { TransactionFaults } from "../ledger/records.ts";
import { CHAIN_IDENTITIES } from "../kinds.ts";
import { type MethodContext, requireTransaction } from "./context.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";
import {
  asAddress,
  asBytes,
  asHash,
  asInteger,
  asObject,
  asSeconds,
  asText,
  type JsonObject,
} from "./params.ts";
import type { RpcMethod } from "./server.ts";

/** The prefix of everything here, which no real network has. */
export const CONTROL_PREFIX = "localnet_";

/** More nodes than any network of ours has. */
const ALL_VALIDATORS = 1000;

const TOO_MANY_REQUESTS =
  "<!doctype html><html><head><title>429 Too Many Requests</title></head>" +
  "<body><h1>429 Too Many Requests</h1></body></html>";

/** The `localnet_*` controls: faults, time, and what the network says of itself. The README lists each. */
export function controlMethods(context: MethodContext): Readonly<Record<string, RpcMethod>> {
  const { engine, ledger, settings, transactionFaults, rpcFaults, modelFaults } = context;

  const forNext = (options: JsonObject, faults: TransactionFaults): null => {
    const { contract, transactions = 1 } = options;
    transactionFaults.add({
      contract: contract === undefined ? null : asAddress(contract, "the contract"),
      transactions: asInteger(transactions, "the number of transactions", 1),
      faults,
    });
    return null;
  };
  const forcedVotes = (vote: Vote, options: JsonObject): TransactionFaults => ({
    forcedVotes: {
      vote,
      validators: asInteger(options["validators"] ?? ALL_VALIDATORS, "the number of validators", 1),
    },
  });
  const forCalls = (options: JsonObject, fault: RpcFault): null => {
    const { method = "*", calls = 1 } = options;
    rpcFaults.add({
      method: asText(method, "the method"),
      calls: asInteger(calls, "the number of calls", 1),
      fault,
    });
    return null;
  };
  const clearFaults = (): void => {
    for (const plan of [transactionFaults, rpcFaults, modelFaults]) plan.clear();
  };
  const reconsidered = (): null => {
    engine.reconsider();
    return null;
  };

  return {
    localnet_info: () => info(context),

    localnet_setFinalityWindow([seconds]) {
      settings.finalityWindowMilliseconds = asSeconds(seconds, "the finality window");
      return reconsidered();
    },
    localnet_setManualFinality([enabled]) {
      settings.manualFinality = enabled === true;
      return reconsidered();
    },
    localnet_setPhaseTime([seconds]) {
      settings.phaseMilliseconds = asSeconds(seconds, "the phase time");
      return null;
    },
    localnet_advanceTime([seconds]) {
      context.clock.advance(asSeconds(seconds, "the time to advance by"));
      return reconsidered();
    },

    localnet_disagreeNext([options]) {
      const given = optional(options);
      return forNext(given, forcedVotes("disagree", given));
    },
    localnet_voteNext([options]) {
      const given = asObject(options, "the options");
      const { vote } = given;
      if (!isVote(vote)) throw new RpcError(RPC_ERRORS.invalidParams, "the vote must be the name of a vote");
      return forNext(given, forcedVotes(vote, given));
    },
    localnet_validatorsTimeoutNext([options]) {
      const given = optional(options);
      return forNext(given, forcedVotes("timeout", given));
    },
    localnet_leaderTimeoutNext: ([options]) => forNext(optional(options), { leaderTimeout: true }),
    localnet_lieNext([options]) {
      const given = asObject(options, "the options");
      const { outputs } = given;
      if (!Array.isArray(outputs)) throw new RpcError(RPC_ERRORS.invalidParams, "the outputs must be a list");
      return forNext(given, {
        leaderOutputs: outputs.map((output) => toBase64(asBytes(output, "an output"))),
      });
    },

    localnet_modelNext([options]) {
      const given = asObject(options, "the options");
      const { node, calls = 1 } = given;
      modelFaults.add({
        node: node === undefined ? null : asAddress(node, "the node"),
        calls: asInteger(calls, "the number of calls", 1),
        fault: asModelFault(given),
      });
      return null;
    },

    localnet_dropReceipts: ([calls = 1]) =>
      forCalls({ method: "eth_getTransactionReceipt", calls }, { effect: "result", result: null }),
    localnet_delay([options]) {
      const given = asObject(options, "the options");
      const milliseconds = asInteger(given["milliseconds"], "the milliseconds");
      return forCalls(given, { effect: "delay", milliseconds });
    },
    localnet_answer([options]) {
      const given = asObject(options, "the options");
      return forCalls(given, { effect: "result", result: given["result"] ?? null });
    },
    localnet_error([options]) {
      const given = asObject(options, "the options");
      const { code, message = "fault injected" } = given;
      if (typeof code !== "number") throw new RpcError(RPC_ERRORS.invalidParams, "the code must be a number");
      return forCalls(given, { effect: "error", code, message: asText(message, "the message") });
    },
    localnet_http([options]) {
      const given = optional(options);
      const { status = 429, contentType = "text/html", body = TOO_MANY_REQUESTS } = given;
      return forCalls(given, {
        effect: "http",
        status: asInteger(status, "the HTTP status", 200),
        contentType: asText(contentType, "the content type"),
        body: asText(body, "the body"),
      });
    },
    localnet_stale: ([options]) => forCalls(optional(options), { effect: "stale" }),
    localnet_hangUp: ([options]) => forCalls(optional(options), { effect: "hang-up" }),

    localnet_swapCode([address, code]) {
      const contract = ledger.contracts.get(asAddress(address, "the contract"));
      if (contract === undefined) throw new RpcError(RPC_ERRORS.notFound, "there is no such contract");
      const source = new TextEncoder().encode(asText(code, "the code"));
      ledger.contracts.put(contract.address, { ...contract, code: toBase64(source) });
      return null;
    },
    localnet_setStatus([hash, status = null]) {
      const { record } = requireTransaction(context, asHash(hash, "the transaction id"));
      if (status !== null && !isStatus(status)) {
        throw new RpcError(RPC_ERRORS.invalidParams, "the status must be the name of a status, or null");
      }
      ledger.transactions.put(record.id, { ...record, shownStatus: status });
      return null;
    },
    localnet_setChainId([chainId]) {
      const original = CHAIN_IDENTITIES[context.kind];
      const shown =
        chainId === null || chainId === undefined ? original.chainId : asInteger(chainId, "the chain id", 1);
      context.identity = { ...original, chainId: shown };
      return null;
    },
    localnet_clearFaults() {
      clearFaults();
      return null;
    },
    localnet_reset() {
      clearFaults();
      engine.abandon();
      ledger.clear();
      return null;
    },
  };
}

function optional(options: unknown): JsonObject {
  return options === undefined ? {} : asObject(options, "the options");
}

function asModelFault(given: JsonObject): ModelFault {
  const { effect } = given;
  if (effect === "slow")
    return { effect, milliseconds: asInteger(given["milliseconds"], "the milliseconds") };
  if (effect === "text") return { effect, text: asText(given["text"], "the text") };
  if (effect === "error") return { effect, kind: given["kind"] === "transient" ? "transient" : "model" };
  const mangled = MANGLED_EFFECTS.find((each) => each === effect);
  if (mangled === undefined)
    throw new RpcError(RPC_ERRORS.invalidParams, "the effect must be one that models have");
  return { effect: mangled };
}

function info(context: MethodContext): unknown {
  const { identity, kind, ledger, nodes, settings } = context;
  return {
    simulation: true,
    notice:
      "This is a simulation of a GenLayer network on one machine. Its contracts run from their own source, " +
      "but its validators are one process and secure nothing.",
    kind,
    chainId: identity.chainId,
    consensusMain: identity.consensusMain,
    consensusData: identity.consensusData,
    validatorsPerTransaction: context.validatorsPerTransaction,
    validators: nodes.map(({ address, label }) => ({ address, ...label })),
    finalityWindowSeconds: settings.finalityWindowMilliseconds / 1000,
    manualFinality: settings.manualFinality,
    transactions: ledger.transactionCount(),
    contracts: [...ledger.contracts.values()].map(({ address }) => address),
  };
}
