import { availableParallelism } from "node:os";

import { LocalnetError } from "../errors.ts";
import { createClock } from "./clock.ts";
import { createEngine, type EngineSettings } from "./engine/engine.ts";
import { createNodes, type ModelLabel } from "./engine/nodes.ts";
import type { Executor, Hex } from "./execution/executor.ts";
import { createModelFaultPlan, withModelFaults } from "./faults/model-faults.ts";
import { createRpcFaultPlan } from "./faults/rpc-faults.ts";
import { createTransactionFaultPlan } from "./faults/transaction-faults.ts";
import { CHAIN_IDENTITIES, type ChainKind } from "./kinds.ts";
import { openLedger } from "./ledger/ledger.ts";
import { createMemoryStore, openStore } from "./ledger/store.ts";
import { modelProvider } from "./models/index.ts";
import type { ModelSpec } from "./models/model.ts";
import type { MethodContext } from "./rpc/context.ts";
import { CONTROL_PREFIX, controlMethods } from "./rpc/control-methods.ts";
import { ethMethods } from "./rpc/eth-methods.ts";
import { genMethods } from "./rpc/gen-methods.ts";
import { startRpcServer } from "./rpc/server.ts";
import { simMethods } from "./rpc/sim-methods.ts";

/** How a simulated GenLayer network is started. */
export interface GenLayerNetworkParameters {
  /** Which family of networks to imitate (default `studio`). */
  readonly kind?: ChainKind;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Nodes that vote on a transaction, its leader included (default 5); appeals draw on further ones. */
  readonly validators?: number;
  /** Default 2. */
  readonly finalityWindowSeconds?: number;
  /** The validators' models, dealt out in turn (default: the built-in `rules` judge, which is no language model). */
  readonly models?: readonly ModelSpec[];
  /** Where the network's state is kept; without it, it is forgotten at the end. */
  readonly dataDir?: string;
  /** What runs the contracts (default: CPython on WebAssembly). One that is given is not stopped with the network. */
  readonly executor?: Executor;
  /** How many runs may happen at once (default: one per processor, at most `validators`). */
  readonly instances?: number;
  /** How long one node may run a transaction (default 60). */
  readonly executionTimeoutSeconds?: number;
  /** A pause before proposals and reveals, so that pollers see every status (default 0). */
  readonly phaseSeconds?: number;
}

/** A running simulated GenLayer network. */
export interface GenLayerNetwork {
  readonly rpcUrl: string;
  readonly kind: ChainKind;
  readonly chainId: number;
  readonly consensusMain: Hex;
  readonly consensusData: Hex;
  /** All nodes, with the models that they use. */
  readonly validators: readonly ({ readonly address: Hex } & ModelLabel)[];
  /** Stops the server, the engine and the executor; idempotent. */
  stop(): Promise<void>;
}

const DEFAULT_VALIDATORS = 5;
const DEFAULT_FINALITY_WINDOW_SECONDS = 2;
const DEFAULT_EXECUTION_TIMEOUT_SECONDS = 60;
const MAX_VALIDATORS = 100;

/**
 * Starts a GenLayer network on this machine: a JSON-RPC server for unmodified genlayer-js 1.2.0, a consensus engine,
 * and validators that each run the contracts' own source. Transactions that a data directory holds are taken up
 * where they stood.
 *
 * @throws {@link LocalnetError} `BAD_OPTION`, `PORT_IN_USE`, `ENVIRONMENT`
 */
export async function startGenLayerNetwork(
  parameters: GenLayerNetworkParameters = {},
): Promise<GenLayerNetwork> {
  const {
    kind = "studio",
    host = "127.0.0.1",
    port = 0,
    validators = DEFAULT_VALIDATORS,
    finalityWindowSeconds = DEFAULT_FINALITY_WINDOW_SECONDS,
    models = [{ provider: "rules" }],
    dataDir,
    instances = Math.min(availableParallelism(), validators),
    executionTimeoutSeconds = DEFAULT_EXECUTION_TIMEOUT_SECONDS,
    phaseSeconds = 0,
  } = parameters;
  checkInteger("validators", validators, 1, MAX_VALIDATORS);
  checkInteger("instances", instances, 1, MAX_VALIDATORS);
  checkInteger("port", port, 0, 65_535);
  checkSeconds("finalityWindowSeconds", finalityWindowSeconds);
  checkSeconds("executionTimeoutSeconds", executionTimeoutSeconds);
  checkSeconds("phaseSeconds", phaseSeconds);

  const cleanUps: (() => void | Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let cleanUp = cleanUps.pop(); cleanUp !== undefined; cleanUp = cleanUps.pop()) await cleanUp();
  };
  try {
    const store = dataDir === undefined ? createMemoryStore() : openStore(dataDir);
    cleanUps.push(() => store.close());
    const ledger = openLedger(store);

    const executor = parameters.executor ?? (await startPython(instances));
    if (parameters.executor === undefined) cleanUps.push(() => executor.stop());

    const settings: EngineSettings = {
      finalityWindowMilliseconds: Math.round(finalityWindowSeconds * 1000),
      manualFinality: false,
      phaseMilliseconds: Math.round(phaseSeconds * 1000),
    };
    const identity = CHAIN_IDENTITIES[kind];
    const modelFaults = createModelFaultPlan();
    const nodes = createNodes(poolSize(validators), models).map((node) => ({
      ...node,
      model: withModelFaults(modelProvider(node.model), node.address, modelFaults),
    }));
    const clock = createClock();
    const transactionFaults = createTransactionFaultPlan();
    const rpcFaults = createRpcFaultPlan();
    const executionTimeoutMilliseconds = Math.round(executionTimeoutSeconds * 1000);
    const engine = createEngine({
      kind,
      chainId: identity.chainId,
      ledger,
      executor,
      nodes,
      validatorsPerTransaction: validators,
      clock,
      faults: transactionFaults,
      settings,
      executionTimeoutMilliseconds,
    });
    cleanUps.push(() => engine.stop());

    const context: MethodContext = {
      kind,
      identity,
      ledger,
      engine,
      executor,
      nodes,
      validatorsPerTransaction: validators,
      clock,
      settings,
      transactionFaults,
      rpcFaults,
      modelFaults,
      executionTimeoutMilliseconds,
    };
    const server = await startRpcServer({
      host,
      port,
      faults: rpcFaults,
      controlPrefix: CONTROL_PREFIX,
      methods: {
        ...ethMethods(context),
        ...genMethods(context),
        ...simMethods(context),
        ...controlMethods(context),
      },
    });
    cleanUps.push(() => server.stop());

    engine.reconsider();
    return {
      rpcUrl: server.url,
      kind,
      ...identity,
      validators: nodes.map(({ address, label }) => ({ address, ...label })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Python is loaded only when nothing else runs the contracts. */
async function startPython(instances: number): Promise<Executor> {
  const { createPyodideExecutor } = await import("./execution/pyodide-executor.ts");
  return await createPyodideExecutor({ instances });
}

/** Enough nodes for a transaction and two appeals of it, each judged by nodes that have not been heard. */
function poolSize(validators: number): number {
  return validators + (validators + 2) + 2 * (validators + 2);
}

function checkInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new LocalnetError("BAD_OPTION", `${name} is ${value}.`, `Give an integer from ${least} to ${most}.`);
}

function checkSeconds(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new LocalnetError("BAD_OPTION", `${name} is ${value}.`, "Give a number of seconds, not negative.");
}
