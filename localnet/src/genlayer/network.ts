import { availableParallelism } from "node:os";

import { LocalnetError } from "../errors.ts";
import { createClock } from "./clock.ts";
import { createEngine, type Engine } from "./engine/engine.ts";
import { createNodes, type ModelLabel } from "./engine/nodes.ts";
import type { Executor, Hex } from "./execution/executor.ts";
import { createModelFaultPlan, withModelFaults } from "./faults/model-faults.ts";
import { createRpcFaultPlan, type RpcFaultPlan } from "./faults/rpc-faults.ts";
import { createTransactionFaultPlan } from "./faults/transaction-faults.ts";
import { CHAIN_IDENTITIES, type ChainKind } from "./kinds.ts";
import { openLedger } from "./ledger/ledger.ts";
import { createMemoryStore, openStore, type Store } from "./ledger/store.ts";
import { modelProvider } from "./models/index.ts";
import type { ModelSpec } from "./models/model.ts";
import type { MethodContext } from "./rpc/context.ts";
import { CONTROL_PREFIX, controlMethods } from "./rpc/control-methods.ts";
import { ethMethods } from "./rpc/eth-methods.ts";
import { genMethods } from "./rpc/gen-methods.ts";
import { type RpcMethod, type RpcServer, startRpcServer } from "./rpc/server.ts";
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

const DEFAULTS = {
  kind: "studio",
  host: "127.0.0.1",
  port: 0,
  validators: 5,
  finalityWindowSeconds: 2,
  models: [{ provider: "rules" }],
  executionTimeoutSeconds: 60,
  phaseSeconds: 0,
} as const satisfies GenLayerNetworkParameters;
const MAX_VALIDATORS = 100;
const MAX_PORT = 65_535;

type Options = GenLayerNetworkParameters & Required<Omit<GenLayerNetworkParameters, "dataDir" | "executor">>;

/** What has been started, and so has to be stopped. */
interface Started {
  server?: RpcServer;
  store?: Store;
  executor?: Executor;
  engine?: Engine;
}

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
  const options = checked(parameters);
  const started: Started = {};
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopAll(started));
  try {
    const methods = Promise.withResolvers<Readonly<Record<string, RpcMethod>>>();
    const faults = createRpcFaultPlan();
    // The port comes first: it is the likeliest to fail, and Python takes seconds.
    started.server = await startRpcServer({
      host: options.host,
      port: options.port,
      faults,
      controlPrefix: CONTROL_PREFIX,
      methods: methods.promise,
    });
    const context = await startValidators(options, faults, started);
    methods.resolve({
      ...ethMethods(context),
      ...genMethods(context),
      ...simMethods(context),
      ...controlMethods(context),
    });
    context.engine.reconsider();
    const { chainId, consensusMain, consensusData } = context.identity;
    return {
      rpcUrl: started.server.url,
      kind: options.kind,
      chainId,
      consensusMain,
      consensusData,
      validators: context.nodes.map(({ address, label }) => ({ address, ...label })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts everything behind the server, and notes it in `started`. */
async function startValidators(
  options: Options,
  rpcFaults: RpcFaultPlan,
  started: Started,
): Promise<MethodContext> {
  const store = options.dataDir === undefined ? createMemoryStore() : openStore(options.dataDir);
  started.store = store;
  const ledger = openLedger(store);
  const executor = options.executor ?? (started.executor = await startPython(options.instances));
  const modelFaults = createModelFaultPlan();
  const nodes = createNodes(poolSize(options.validators), options.models).map((node) => ({
    ...node,
    model: withModelFaults(modelProvider(node.model), node.address, modelFaults),
  }));
  const transactionFaults = createTransactionFaultPlan();
  const shared = {
    kind: options.kind,
    ledger,
    executor,
    nodes,
    validatorsPerTransaction: options.validators,
    clock: createClock(),
    settings: {
      finalityWindowMilliseconds: Math.round(options.finalityWindowSeconds * 1000),
      manualFinality: false,
      phaseMilliseconds: Math.round(options.phaseSeconds * 1000),
    },
    executionTimeoutMilliseconds: Math.round(options.executionTimeoutSeconds * 1000),
  };
  const identity = CHAIN_IDENTITIES[options.kind];
  const engine = createEngine({ ...shared, chainId: identity.chainId, faults: transactionFaults });
  started.engine = engine;
  return { ...shared, identity, engine, transactionFaults, rpcFaults, modelFaults };
}

/** Nothing is taken any more, then nothing runs any more, then nothing is written any more. */
async function stopAll({ server, engine, executor, store }: Started): Promise<void> {
  await server?.stop();
  engine?.stop();
  await executor?.stop();
  store?.close();
}

function checked(parameters: GenLayerNetworkParameters): Options {
  const given = { ...DEFAULTS, ...parameters };
  const options = { instances: Math.min(availableParallelism(), given.validators), ...given };
  checkInteger("validators", options.validators, 1, MAX_VALIDATORS);
  checkInteger("instances", options.instances, 1, MAX_VALIDATORS);
  checkInteger("port", options.port, 0, MAX_PORT);
  checkSeconds("finalityWindowSeconds", options.finalityWindowSeconds);
  checkSeconds("executionTimeoutSeconds", options.executionTimeoutSeconds);
  checkSeconds("phaseSeconds", options.phaseSeconds);
  return options;
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
