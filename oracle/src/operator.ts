import { createAnswers } from "./answers/index.ts";
import {
  createAttestHandler,
  createCollectHandler,
  createPeers,
  loadOperatorList,
  peersOf,
} from "./attest/index.ts";
import type { OperatorConfig } from "./config/index.ts";
import {
  createDocuments,
  createDocumentsHandler,
  createGatewaySource,
  createMirror,
  pinDocument,
} from "./documents/index.ts";
import { createApp, serve } from "./http/index.ts";
import {
  FinalityViolationError,
  createAnchorHandler,
  createIngest,
  createWindowHandler,
} from "./ingest/index.ts";
import { connectJudge, createJudgeHandler, createRoundsHandler, type Judge } from "./judge/index.ts";
import { serveAdmin } from "./maintain/index.ts";
import {
  createHealth,
  createLogger,
  createMetrics,
  createOperationsRoutes,
  createWatchman,
  createWorkLog,
  errorText,
  follow,
  followHandlers,
  systemClock,
  watchEventLoop,
  watchStore,
  type Clock,
  type EventLoopWatch,
  type Health,
  type Logger,
} from "./observe/index.ts";
import { createNudge, createReceiptHandler, createRelayHandler } from "./relay/index.ts";
import {
  ChainIdentityError,
  createEvmChain,
  createJsonRpc,
  createProvider,
  createRpcPool,
  type EvmChain,
  type ObserveCall,
  type Provider,
  type ProviderState,
} from "./rpc/index.ts";
import {
  BoundaryError,
  createRunner,
  guardBoundary,
  relayLane,
  reverifyIdentities,
  settleLane,
  startLoop,
  verifyIdentities,
  type BoundaryHook,
  type Services,
} from "./run/index.ts";
import {
  createBroadcastHandler,
  createConfirmHandler,
  createSettlementHandler,
  createWatchHandler,
} from "./settle/index.ts";
import { createAttester, createSubmitter, useNativeKeccak256 } from "./signer/index.ts";
import { createMcpHttp } from "./mcp/index.ts";
import {
  HALT_KEY,
  StaleVersionError,
  StoreError,
  openStore,
  politeStore,
  type Store,
} from "./store/index.ts";

/** Calls of the database that are under way at the same time for whoever asks over HTTP or MCP. */
const READS_AT_ONCE = 4;
/** How often, in milliseconds, identities, balances, clocks and peers are looked at again. */
const CHECK_MILLISECONDS = 60_000;
/** The same while a peer is missing: operators of a set often start together. */
const CHECK_AGAIN_MILLISECONDS = 10_000;

/** A running operator. */
export interface Operator {
  /** Base URL of its HTTP API. */
  readonly url: string;
  /** Every endpoint of both chains, as it is now. */
  providers(): readonly ProviderState[];
  /** Stops taking up work, ends what is under way, and closes everything. Idempotent. */
  stop(): Promise<void>;
  /** Rejects when the operator can't go on: stop it, and start it again if the error is no `ChainIdentityError`. */
  readonly failed: Promise<never>;
}

/** What tests put in the place of the world. */
export interface OperatorOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly store?: Store;
  readonly chain?: EvmChain;
  readonly judge?: Judge;
  /** Called at every boundary between effects; throwing stops the operator there. */
  readonly boundary?: BoundaryHook;
  /** Told of every call to every endpoint of both chains. */
  readonly observe?: ObserveCall;
  /** Serves the HTTP API without a socket. */
  readonly serve?: typeof serve;
  /** Stopped with the operator. */
  readonly eventLoop?: EventLoopWatch;
}

/**
 * Starts one operator: opens its store, makes sure that both chains are the configured ones, serves HTTP, and then
 * works on whatever the store and the chains hold.
 *
 * @throws StoreError, ChainIdentityError, ListenError, or the endpoint's error when a chain can't be reached.
 */
export async function startOperator(
  config: OperatorConfig,
  options: OperatorOptions = {},
): Promise<Operator> {
  useNativeKeccak256();
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? createLogger(config.logLevel);
  const store = options.store ?? (await openStore(config));
  const eventLoop = options.eventLoop ?? watchEventLoop();
  try {
    return await start(config, { clock, logger, store, eventLoop, options });
  } catch (error) {
    eventLoop.stop();
    await store.close();
    throw error;
  }
}

async function start(
  config: OperatorConfig,
  made: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly store: Store;
    readonly eventLoop: EventLoopWatch;
    readonly options: OperatorOptions;
  },
): Promise<Operator> {
  const { clock, logger, eventLoop, options } = made;
  const workLog = createWorkLog();
  const metrics = createMetrics({
    config,
    store: made.store,
    clock,
    eventLoop: eventLoop.metrics,
    view: () => ingest.view(),
    haltReason: () => haltReason,
    providers: () => providers(),
    mirrorWaiting: () => mirror?.waiting() ?? 0,
  });
  const store = watchStore(made.store, { metrics, logger, workLog });
  const health = createHealth(() => clock.now());
  const boundary = guardBoundary(options.boundary ?? (() => undefined));
  const observe: ObserveCall = (call) => {
    metrics.call(call);
    workLog.called(call);
    options.observe?.(call);
  };
  const evmProviders = config.evm.endpoints.map((endpoint) =>
    createProvider(createJsonRpc(endpoint), { chain: "evm", chainId: config.evm.chainId, observe }),
  );
  const chain = options.chain ?? connectEvm(config, evmProviders);
  const genLayer = connectJudge(config.genLayer, config.keys.relayer, observe);
  const providers = () => [...evmProviders, ...genLayer.providers].map((provider) => provider.state());
  const judge = options.judge ?? genLayer.judge;
  const operators = await loadOperatorList(config, store, logger);
  const peers = createPeers(peersOf(config, operators));
  const documents = createDocuments({
    store,
    clock,
    quotaBytes: config.documents.quotaBytes,
    sources: [
      ...peers.documents,
      ...config.documents.gateways.map((endpoint) => createGatewaySource(endpoint, clock)),
    ],
    added: (hash) => mirror?.offer(hash),
  });
  const { ipfsApi } = config.documents;
  const mirror =
    ipfsApi === null
      ? null
      : createMirror({
          pin: (hash, bytes) => pinDocument(ipfsApi, hash, bytes),
          read: (hash) => documents.get(hash),
          logger,
        });

  await verifyIdentities(config, store, chain, judge);
  let haltReason = await store.meta(HALT_KEY);

  const ingest = createIngest({
    chain,
    store,
    clock,
    logger,
    jurisdiction: {
      chainId: config.evm.chainId,
      escrow: config.evm.escrow,
      quorum: config.evm.quorum,
      members: config.members.addresses,
      configHash: config.members.configHash,
      jobs: config.jobs,
    },
    startBlock: config.evm.startBlock,
    logRange: config.evm.logRange,
    documentWindowSeconds: config.documents.windowSeconds,
    boundary,
  });

  const services: Services = {
    config,
    store,
    chain,
    judge,
    documents,
    attester: createAttester(config.keys.attester),
    submitter: createSubmitter(config.keys.submitter),
    peers,
    clock,
    logger,
    view: () => ingest.view(),
    haltReason: () => haltReason,
  };

  let draining = false;
  const nudge = createNudge(services);
  const runner = createRunner({
    services,
    handlers: followHandlers(workLog, {
      anchor: createAnchorHandler(services),
      collectDocuments: createDocumentsHandler(services),
      relay: createRelayHandler(services, nudge),
      findJudgeTransaction: createReceiptHandler(services),
      readJudge: createJudgeHandler(services, nudge),
      countRounds: createRoundsHandler(services),
      attest: createAttestHandler(services),
      collectAttestations: createCollectHandler(services),
      prepareSettlement: createSettlementHandler(services),
      broadcastSettlement: createBroadcastHandler(services),
      watchSettlement: createWatchHandler(services),
      confirmSettlement: createConfirmHandler(services),
    }),
    closeWindow: follow(workLog, createWindowHandler(services)),
    boundary,
    draining: () => draining,
  });

  let listeningAt = "";
  const own = operators.members.find(({ address }) => address === config.keys.attester.address);
  const publicUrl = () => own?.url ?? listeningAt;
  // Readers wait for each other; the bridge waits for none of them.
  const readers = politeStore(store, READS_AT_ONCE);
  const answers = createAnswers({
    ...{ config, chain, clock, publicUrl },
    store: readers,
    view: () => ingest.view(),
  });
  const mcp = config.http.mcp
    ? createMcpHttp(
        {
          answers,
          // An audit by the operator that signed would prove nothing to who asks.
          auditor: null,
          onCall: (tool) => logger.debug({ tool }, "Answered over MCP"),
        },
        () => [new URL(publicUrl()).hostname],
      )
    : null;
  const app = createApp({
    config,
    operators,
    answers,
    mcp: mcp === null ? null : (request) => mcp.fetch(request),
    publicUrl,
    lateness: () => eventLoop.lateness(),
    store: readers,
    documents: {
      ...documents,
      async put(hash, bytes) {
        const added = await documents.put(hash, bytes);
        if (added) work.wake();
        return added;
      },
    },
    clock,
    logger,
    operations: createOperationsRoutes({
      store,
      health,
      metrics,
      eventLoop: eventLoop.livez,
      clock,
      logger,
      view: () => ingest.view(),
      haltReason: () => haltReason,
      providers,
      peers: () => peers.states(),
    }),
    view: () => ingest.view(),
    haltReason: () => haltReason,
  });
  const server = await (options.serve ?? serve)(app, config.http.host, config.http.port);
  listeningAt = server.url;

  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Whoever started the operator may never look; that is no reason to end the process.
  failed.catch(() => undefined);
  const fail = (error: unknown) => {
    draining = true;
    health.drain();
    if (error instanceof ChainIdentityError) metrics.violation("identity");
    if (!(error instanceof BoundaryError)) logger.fatal({ error }, "The operator can't go on");
    reject(error instanceof Error ? error : new Error(String(error)));
  };

  const watchman = createWatchman({
    config,
    store,
    chain,
    judge,
    genLayer: genLayer.rpc,
    relayChain: relayLane(services).chain,
    settleChain: settleLane(services).chain,
    peers,
    clock,
    health,
    metrics,
    providers,
  });

  const read = startLoop(async () => {
    try {
      const isFirst = ingest.view() === null;
      const view = (await store.readsChain())
        ? await workLog.run(() => ingest.step())
        : await ingest.follow();
      if (view === null) return config.pollMilliseconds;
      if (isFirst) check.wake();
      watchman.sawHead(view);
      const behind = view.announced - view.latest.number;
      health.report(
        "evm",
        behind === 0 ? "healthy" : "degraded",
        `read to block ${view.latest.number}, ${behind} behind; final to block ${view.final.number}`,
      );
      health.report("database", "healthy", "takes writes");
      work.wake();
    } catch (error) {
      if (error instanceof StoreError || error instanceof BoundaryError) throw error;
      if (error instanceof StaleVersionError) return 0;
      if (error instanceof FinalityViolationError) await halt(error);
      health.report("evm", "unhealthy", errorText(error));
      logger.warn({ error }, "Could not read the chain");
    }
    return config.pollMilliseconds;
  }, fail);

  const work = startLoop(async () => {
    await noticeHalt();
    return (await runner.step()) > 0 ? 0 : config.pollMilliseconds / 2;
  }, fail);

  const lease = startLoop(() => store.renew(), fail);

  const check = startLoop(async () => {
    await reverifyIdentities(config, store, chain, judge);
    reportSigning(health, haltReason);
    await watchman.look();
    return health.components().peers.status === "healthy" ? CHECK_MILLISECONDS : CHECK_AGAIN_MILLISECONDS;
  }, fail);

  async function halt(error: FinalityViolationError): Promise<void> {
    if (haltReason !== null) return;
    await store.setMeta(HALT_KEY, error.message);
    metrics.violation("finality");
    logger.fatal({ error }, "Halted all signing: finality was violated");
    await noticeHalt();
  }

  /** A person, or another worker, may have halted or resumed signing. The store refuses signatures at once; this tells. */
  async function noticeHalt(): Promise<void> {
    const found = await store.meta(HALT_KEY);
    if (found === haltReason) return;
    haltReason = found;
    reportSigning(health, haltReason);
    if (haltReason === null) logger.warn("Signing is resumed");
    else logger.error({ reason: haltReason }, "Signing is halted");
  }

  if (config.members.threshold === 1)
    logger.warn("One signature is enough to pay: use this set on a development chain only");
  logger.info(
    {
      url: server.url,
      attester: config.keys.attester.address,
      evm: { chainId: config.evm.chainId, endpoints: config.evm.endpoints.map(({ origin }) => origin) },
      genLayer: {
        network: config.genLayer.network.name,
        endpoints: config.genLayer.endpoints.map(({ origin }) => origin),
      },
    },
    "Started",
  );

  // With PostgreSQL, maintenance goes to the database itself.
  const admin =
    config.databaseUrl === null && options.store === undefined
      ? await serveAdmin({ dataDir: config.dataDir, store, clock, changed: () => work.wake() })
      : null;

  let stopping: Promise<void> | null = null;
  async function stop(): Promise<void> {
    draining = true;
    health.drain();
    await Promise.all([read.stop(), work.stop(), check.stop(), lease.stop()]);
    await admin?.close();
    await runner.idle();
    await server.close();
    await mirror?.stop();
    await store.close();
    eventLoop.stop();
    logger.info("Stopped");
  }

  return {
    url: server.url,
    failed,
    providers,
    stop: () => (stopping ??= stop()),
  };
}

/** One endpoint is believed; of several, two must agree on whatever can lead to money. */
function connectEvm(config: OperatorConfig, providers: readonly Provider[]): EvmChain {
  return createEvmChain({
    rpc: createRpcPool(providers, Math.min(2, providers.length)),
    chainId: config.evm.chainId,
    escrow: config.evm.escrow,
    quorum: config.evm.quorum,
    contracts: config.jobs?.contracts ?? [],
    finality: config.evm.finality,
  });
}

function reportSigning(health: Health, haltReason: string | null): void {
  if (haltReason === null) health.report("signing", "healthy", "signs");
  else health.report("signing", "unhealthy", `halted: ${haltReason}`);
}
