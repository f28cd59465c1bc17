import { toBase64, toBytes } from "../engine/runs.ts";
import { withCode } from "../codecs/studio.ts";
import { standingLeaderReceipt } from "../codecs/view.ts";
import { STATUS_NUMBERS } from "../consensus/names.ts";
import { ContractLoadError, type ExecutionResult } from "../execution/executor.ts";
import { EMPTY_STATE } from "../ledger/ledger.ts";
import type { ContractRecord } from "../ledger/records.ts";
import { decodeTxData, type Payload, PayloadError } from "../payload.ts";
import { type MethodContext, requireTransaction } from "./context.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";
import { asAddress, asBytes, asHash, asObject, asText, isObject, type JsonObject } from "./params.ts";
import type { RpcMethod } from "./server.ts";

/** The `gen_*` methods. */
export function genMethods(context: MethodContext): Readonly<Record<string, RpcMethod>> {
  const contractAt = (value: unknown): ContractRecord => {
    const address = asAddress(isObject(value) ? value["address"] : value, "the contract address");
    const contract = context.ledger.contracts.get(address);
    if (contract === undefined) throw new RpcError(RPC_ERRORS.notFound, `Contract ${address} not found`);
    return contract;
  };
  return {
    gen_call: ([call]) => genCall(context, asObject(call, "the call"), contractAt),
    gen_getContractCode: ([address]) => contractAt(address).code,
    gen_getContractSchema([target]) {
      const code =
        isObject(target) && "code" in target ? asText(target["code"], "the code") : contractAt(target).code;
      return schemaOf(context, toBytes(code));
    },
    gen_getContractSchemaForCode: ([code]) => schemaOf(context, asBytes(code, "the code")),
    gen_getTransactionStatus([target]) {
      const id = asHash(isObject(target) ? target["txId"] : target, "the transaction id");
      const { status } = requireTransaction(context, id);
      return { status, statusCode: STATUS_NUMBERS[status] };
    },
    gen_dbg_traceTransaction([target]) {
      const id = asHash(asObject(target, "the request")["txID"], "the transaction id");
      const receipt = standingLeaderReceipt(requireTransaction(context, id).record);
      if (receipt === undefined) throw new RpcError(RPC_ERRORS.notFound, `Transaction ${id} has not run yet`);
      return {
        transaction_id: id,
        result_code: toBytes(withCode(receipt))[0],
        return_data: hex(toBytes(receipt.data)),
        stdout: receipt.stdout,
        stderr: receipt.stderr,
        genvm_log: [],
        run_time: `${receipt.milliseconds}ms`,
      };
    },
  };
}

async function schemaOf({ executor }: MethodContext, code: Uint8Array): Promise<unknown> {
  try {
    return await executor.schema(code);
  } catch (error) {
    if (error instanceof ContractLoadError) {
      throw new RpcError(RPC_ERRORS.executionFailed, error.message, undefined, { cause: error });
    }
    throw error;
  }
}

/**
 * `gen_call`: runs a method and keeps nothing.
 *
 * Both ways of asking for finalized storage are known: the node's `status`, and Studio's `transaction_hash_variant`.
 * The testnet kind ignores the latter, as nodes that do not know it would: only `status` is safe.
 */
async function genCall(
  context: MethodContext,
  call: JsonObject,
  contractAt: (address: unknown) => ContractRecord,
): Promise<unknown> {
  const payload = decodePayload(call["data"]);
  const isDeploy = payload.kind === "deploy";
  const contract = isDeploy ? undefined : contractAt(call["to"]);
  const code = payload.kind === "deploy" ? payload.code : toBytes(contract?.code ?? "");
  const state =
    contract === undefined ? EMPTY_STATE : context.ledger.state(contract[wantedState(context, call)]);
  const sender = asAddress(call["from"] ?? `0x${"0".repeat(40)}`, "the sender");
  const [node] = context.nodes;
  if (node === undefined) throw new RpcError(RPC_ERRORS.noValidators, "No validators available");
  const result = await context.executor.execute({
    kind: isDeploy ? "deploy" : call["type"] === "write" ? "write" : "read",
    code,
    state,
    calldata: payload.calldata,
    message: {
      contractAddress: contract?.address ?? `0x${"0".repeat(40)}`,
      senderAddress: sender,
      originAddress: sender,
      value: valueOf(call["value"]),
      chainId: BigInt(context.identity.chainId),
      datetime: new Date(context.clock.now()).toISOString(),
    },
    mode: { role: "leader" },
    model: node.model,
    limits: { timeoutMilliseconds: context.executionTimeoutMilliseconds },
  });
  return context.kind === "studio" ? studioAnswer(result) : nodeAnswer(result);
}

function wantedState(context: MethodContext, call: JsonObject): "accepted" | "finalized" {
  const { status, transaction_hash_variant: variant } = call;
  if (status !== undefined) {
    if (status === "accepted" || status === "finalized") return status;
    throw new RpcError(RPC_ERRORS.invalidParams, 'the status must be "accepted" or "finalized"');
  }
  return context.kind === "studio" && variant === "latest-final" ? "finalized" : "accepted";
}

function decodePayload(data: unknown): Payload {
  try {
    return decodeTxData(`0x${Buffer.from(asBytes(data, "the data")).toString("hex")}`);
  } catch (error) {
    if (error instanceof PayloadError) throw new RpcError(RPC_ERRORS.invalidParams, error.message);
    throw error;
  }
}

function valueOf(value: unknown): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value)) return BigInt(value);
  throw new RpcError(RPC_ERRORS.invalidParams, "the value must be an amount of base units");
}

function studioAnswer(result: ExecutionResult): string {
  if (result.kind === "return") return hex(result.data);
  const receipt = {
    execution_result: "ERROR",
    result: withCode({ kind: result.kind, data: toBase64(result.data) }),
    genvm_result: { stdout: result.stdout, stderr: result.stderr },
  };
  throw new RpcError(RPC_ERRORS.executionFailed, `execution failed: ${textOf(result)}`, { receipt });
}

function nodeAnswer(result: ExecutionResult): unknown {
  const succeeded = result.kind === "return";
  return {
    data: succeeded ? hex(result.data) : "",
    status: succeeded ? { code: 0, message: "success" } : { code: 1, message: textOf(result) },
    eqOutputs: result.nondetOutputs.map(hex),
    stdout: result.stdout,
    stderr: result.stderr,
    logs: [],
    events: [],
    messages: [],
  };
}

function textOf(result: ExecutionResult): string {
  return new TextDecoder().decode(result.data);
}

/** Hexadecimal without 0x, which is how genlayer-js takes it. */
function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
