import type { ModelSpec } from "../models/model.ts";
import type { WebFetcher } from "./web.ts";

/** 0x-prefixed hexadecimal text. */
export type Hex = `0x${string}`;

/**
 * A contract's whole storage, as one opaque snapshot: canonical UTF-8 JSON bytes, so that equal storage always has
 * equal bytes (and an equal hash). Empty before the deployment.
 */
export type ContractState = Uint8Array;

/** What the node knows about the transaction that runs; nothing else reaches the contract. */
export interface ExecutionMessage {
  readonly contractAddress: Hex;
  readonly senderAddress: Hex;
  readonly originAddress: Hex;
  /** Native value in base units. */
  readonly value: bigint;
  readonly chainId: bigint;
  /** The transaction's time, ISO 8601 in UTC: the only clock that a contract has. */
  readonly datetime: string;
}

/**
 * What one nondeterministic block produced, in GenVM's form: one code byte (0 return, 1 user error, 2 VM error), then
 * the payload (calldata for a return, UTF-8 text for the errors).
 */
export type NondetOutput = Uint8Array;

/** The leader decides each nondeterministic block; a validator rules on the leader's outputs. */
export type ExecutionMode =
  | { readonly role: "leader" }
  /** `leaderOutputs`: the leader's outputs, in the order in which its blocks ran. */
  | { readonly role: "validator"; readonly leaderOutputs: readonly NondetOutput[] };

/** Bounds of one run. */
export interface ExecutionLimits {
  /** Wall-clock milliseconds, model and web calls included; the run is then stopped for good. */
  readonly timeoutMilliseconds: number;
}

/** One run of a contract. */
export interface ExecutionRequest {
  readonly kind: "deploy" | "write" | "read";
  /** The contract's source, exactly as deployed. */
  readonly code: Uint8Array;
  /** Storage before the run; empty for a deployment. */
  readonly state: ContractState;
  /** GenVM calldata: `{method?, args?, kwargs?}`. */
  readonly calldata: Uint8Array;
  readonly message: ExecutionMessage;
  readonly mode: ExecutionMode;
  /** The model that answers this run's prompts: each validator has its own. */
  readonly model: ModelSpec;
  readonly limits: ExecutionLimits;
}

/**
 * How a run ended:
 * - `return`: it returned (GenVM code 0);
 * - `user-error`: the contract raised `gl.vm.UserError` (code 1);
 * - `vm-error`: any other exception, or a broken rule of the VM (code 2);
 * - `timeout`: the time limit was reached;
 * - `internal-error`: the executor itself failed (code 3); says nothing about the contract.
 */
export type ExecutionKind = "return" | "user-error" | "vm-error" | "timeout" | "internal-error";

/** The result of one run. */
export interface ExecutionResult {
  readonly kind: ExecutionKind;
  /** The calldata-encoded return value, or UTF-8 text: the user error's message, the VM error, the reason. */
  readonly data: Uint8Array;
  /** New storage when a deployment or write returned; null otherwise (everything is rolled back). */
  readonly state: ContractState | null;
  /** Leader: what each nondeterministic block produced, in order, also when the run failed later. */
  readonly nondetOutputs: readonly NondetOutput[];
  /**
   * Validator: its ruling on each leader output that it reached, in order. A `false` is a disagreement; the run goes on
   * with the leader's value either way. A leader output that the run never reached, or a block that the leader has no
   * output for, is reported as `vm-error`: the deterministic parts differ.
   */
  readonly validatorVotes: readonly boolean[];
  readonly stdout: string;
  readonly stderr: string;
}

/** A type in a contract's schema, in the form that genlayer-js passes through. */
export type SchemaType =
  | "string"
  | "int"
  | "bool"
  | "bytes"
  | "address"
  | "null"
  | "any"
  | "array"
  | "dict"
  | { readonly $or: readonly SchemaType[] }
  | { readonly $dict: SchemaType }
  | readonly [{ readonly $rep: SchemaType }];

/** The parameters of one callable: positional `[name, type]` pairs and keyword-only ones. */
export interface SchemaParams {
  readonly params: readonly (readonly [string, SchemaType])[];
  readonly kwparams: Readonly<Record<string, SchemaType>>;
}

/** One public method. */
export interface SchemaMethod extends SchemaParams {
  readonly readonly: boolean;
  readonly ret: SchemaType;
  readonly payable?: boolean;
}

/** What `gen_getContractSchema` answers. */
export interface ContractSchema {
  readonly ctor: SchemaParams;
  readonly methods: Readonly<Record<string, SchemaMethod>>;
}

/** A contract that cannot be loaded: no schema, and a deployment of it fails in the same words. */
export class ContractLoadError extends Error {
  override readonly name = "ContractLoadError";
}

/** Runs contracts, each run isolated from every other. Calls beyond the number of instances wait their turn. */
export interface Executor {
  /** Never rejects because of what the contract does; rejects only after {@link Executor.stop}. */
  execute(request: ExecutionRequest): Promise<ExecutionResult>;
  /**
   * @throws {@link ContractLoadError} when the source cannot be loaded as a contract.
   */
  schema(code: Uint8Array): Promise<ContractSchema>;
  /** Stops every worker; idempotent. */
  stop(): Promise<void>;
}

/** How {@link Executor}s are made by `createPyodideExecutor`. */
export interface ExecutorOptions {
  /** How many runs may happen at once; each has a CPython instance of its own. */
  readonly instances: number;
  /** Bytes of memory per instance, beyond which allocation fails with MemoryError (default 512 MiB). */
  readonly memoryBytes?: number;
  /** How contracts reach the web (default: bounded HTTP to public hosts). */
  readonly web?: WebFetcher;
}
