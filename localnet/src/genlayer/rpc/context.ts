import { viewTransaction, type TransactionView } from "../codecs/view.ts";
import type { ShiftableClock } from "../clock.ts";
import type { Engine, EngineSettings } from "../engine/engine.ts";
import type { ValidatorNode } from "../engine/nodes.ts";
import type { Executor, Hex } from "../execution/executor.ts";
import type { ModelFaultPlan } from "../faults/model-faults.ts";
import type { RpcFaultPlan } from "../faults/rpc-faults.ts";
import type { TransactionFaultPlan } from "../faults/transaction-faults.ts";
import type { ChainIdentity, ChainKind } from "../kinds.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";

/** What the JSON-RPC methods work on. */
export interface MethodContext {
  readonly kind: ChainKind;
  /** The identity that is shown; a control may change its chain id. */
  identity: ChainIdentity;
  readonly ledger: Ledger;
  readonly engine: Engine;
  readonly executor: Executor;
  readonly nodes: readonly ValidatorNode[];
  readonly validatorsPerTransaction: number;
  readonly clock: ShiftableClock;
  readonly settings: EngineSettings;
  readonly transactionFaults: TransactionFaultPlan;
  readonly rpcFaults: RpcFaultPlan;
  readonly modelFaults: ModelFaultPlan;
  readonly executionTimeoutMilliseconds: number;
}

/** @returns the transaction as it is shown at `at` (Unix milliseconds; default now), or undefined. */
export function findTransaction(
  context: MethodContext,
  id: string,
  at?: number,
): TransactionView | undefined {
  const nodes = new Map(context.nodes.map((node) => [node.address, node]));
  return viewTransaction({ ...context, nodes }, id, at);
}

/** @throws {@link RpcError} -32001 for an unknown id */
export function requireTransaction(context: MethodContext, id: Hex): TransactionView {
  const view = findTransaction(context, id);
  if (view === undefined) throw new RpcError(RPC_ERRORS.notFound, `Transaction ${id} not found`);
  return view;
}
