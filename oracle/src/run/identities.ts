import type { Hex } from "@assay/protocol";
import type { OperatorConfig } from "../config/index.ts";
import type { Judge } from "../judge/judge.ts";
import { ChainIdentityError, type EvmChain } from "../rpc/index.ts";
import type { Store } from "../store/index.ts";
import { verifyEvaluator } from "../venue/evaluator.ts";

/** Names under which the store remembers what it was filled from. */
const GENESIS_KEY = "evm.genesis";
const SETUP_KEY = "setup";

/**
 * Both chains are the configured ones, and the store was filled from these very chains.
 *
 * @throws ChainIdentityError saying which is not, or the endpoint's error when a chain can't be reached.
 */
export async function verifyIdentities(
  config: OperatorConfig,
  store: Store,
  chain: EvmChain,
  judge: Judge,
): Promise<void> {
  const { escrow, quorum } = config.evm;
  const { genesisHash } = await verifyContracts(config, chain);
  await judge.verifyIdentity();
  await remember(store, GENESIS_KEY, genesisHash);
  await remember(
    store,
    SETUP_KEY,
    JSON.stringify({ chainId: config.evm.chainId, escrow, quorum, genLayer: judge.network.name }),
  );
}

/**
 * The chains are still the ones of the start, the genesis block included. An endpoint that does not answer proves
 * nothing.
 *
 * @throws ChainIdentityError
 */
export async function reverifyIdentities(
  config: OperatorConfig,
  store: Store,
  chain: EvmChain,
  judge: Judge,
): Promise<void> {
  const checks = await Promise.allSettled([
    verifyContracts(config, chain).then(({ genesisHash }) => remember(store, GENESIS_KEY, genesisHash)),
    judge.verifyIdentity(),
  ]);
  for (const check of checks)
    if (check.status === "rejected" && check.reason instanceof ChainIdentityError) throw check.reason;
}

/** Everything on the EVM chain that the configuration names. @throws ChainIdentityError */
async function verifyContracts(
  config: OperatorConfig,
  chain: EvmChain,
): Promise<{ readonly genesisHash: Hex }> {
  const { jobs, evm } = config;
  const contracts =
    jobs === null
      ? []
      : [
          ["ASSAY_ERC8183_EVALUATOR", jobs.evaluator] as const,
          ...jobs.contracts.map((contract) => ["ASSAY_ERC8183_CONTRACTS", contract] as const),
        ];
  const identity = await chain.verifyIdentity({ ...evm, contracts });
  await verifyEvaluator(chain, config);
  return identity;
}

/** Writes it down the first time, and holds it against that ever after. */
async function remember(store: Store, key: string, value: string): Promise<void> {
  const stored = await store.meta(key);
  if (stored === null) await store.setMeta(key, value);
  else if (stored !== value)
    throw new ChainIdentityError(
      `the database was filled from ${stored}, the configuration leads to ${value}; use another ASSAY_DATA_DIR`,
    );
}
