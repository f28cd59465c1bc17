import { JsonRpcProvider, NonceManager, Wallet } from "ethers";
import { deployFiatToken, startEvm, type Evm, type FiatToken } from "@assay/localnet";
import { type Address, type Hex, type Terms } from "@assay/protocol";
import { createAnswers, type Answers, type Preparation } from "../../../../oracle/src/answers/index.ts";
import { Endpoint, loadConfig, type OperatorConfig } from "../../../../oracle/src/config/index.ts";
import { createEvmChain, createJsonRpc } from "../../../../oracle/src/rpc/index.ts";
import { openSqliteStore, type Store } from "../../../../oracle/src/store/index.ts";
import { deployEvm, type EvmDeployment } from "../../../../scripts/deploy/evm.ts";
import { ADDRESSES, KEYS } from "../../support/world.ts";

export const REWARD = 25_000_000n;

/** A real chain with Circle's token and the real contracts, and the answers of an operator that looks at it. */
export interface Deployment {
  readonly contracts: EvmDeployment;
  readonly token: FiatToken;
  readonly provider: JsonRpcProvider;
  readonly config: OperatorConfig;
  readonly store: Store;
  readonly answers: Answers;
  readonly buyer: Wallet;
  readonly seller: Wallet;
  /** Somebody who has no part in anything and pays gas. */
  readonly stranger: Wallet;
  /** Terms that the escrow takes, with a salt of their own. */
  terms(changes?: Partial<Terms>): Promise<Terms>;
  /** Does what a preparation says: signs or sends, whoever has to. */
  send(step: Preparation["steps"][number], by: Wallet): Promise<void>;
  /** Moves the chain's clock. */
  wait(seconds: number): Promise<void>;
  /** Ends the chain; what looks at it goes on. */
  stopChain(): Promise<void>;
  stop(): Promise<void>;
}

export async function createDeployment(): Promise<Deployment> {
  const evm = await startEvm({ blockTimeSeconds: 0 });
  const provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, { staticNetwork: true, cacheTimeout: -1 });
  const wallets = evm.accounts.map(({ privateKey }) => new Wallet(privateKey, provider));
  const [deployer, buyer, seller, stranger] = wallets as [Wallet, Wallet, Wallet, Wallet];
  const signer = new NonceManager(deployer);
  const token = await deployFiatToken(signer);
  const contracts = await deployEvm(signer, token.address);
  await token.mint(buyer.address, 1_000n * REWARD);
  const config = configOf(evm, contracts);
  const store = openSqliteStore(":memory:");
  const chain = createEvmChain({
    rpc: createJsonRpc(new Endpoint(new URL(evm.rpcUrl))),
    chainId: evm.chainId,
    escrow: contracts.escrow,
    quorum: contracts.quorum,
    finality: "finalized",
  });
  const now = async () => (await provider.getBlock("latest"))!.timestamp;
  let chainTime = await now();
  let salt = 0n;
  return {
    ...{ contracts, token, provider, config, store, buyer, seller, stranger },
    answers: createAnswers({
      ...{ config, store, chain, clock: { now: () => Date.now() } },
      publicUrl: () => "https://operator.example",
      view: () => ({
        latest: { number: 1, timestamp: chainTime },
        final: { number: 1, timestamp: chainTime },
        announced: 1,
      }),
    }),
    async terms(changes = {}) {
      chainTime = await now();
      return {
        buyer: buyer.address as Address,
        seller: seller.address as Address,
        reward: REWARD,
        agreementHash: `0x${"da".repeat(32)}`,
        adjudicator: contracts.quorum,
        adjudicatorConfig: config.members.configHash,
        deliverBy: chainTime + 3_600,
        adjudicateBy: chainTime + 10_800,
        noVerdictSellerBps: 4_000,
        salt: salt++,
        ...changes,
      };
    },
    async send(step, by) {
      if (step.kind !== "send") throw new Error(`a ${step.kind} step is nothing to send`);
      const sent = await by.sendTransaction({ to: step.to, data: step.data, value: BigInt(step.value) });
      await sent.wait();
    },
    async wait(seconds) {
      await provider.send("evm_increaseTime", [seconds]);
      await provider.send("evm_mine", []);
    },
    stopChain: () => evm.stop(),
    async stop() {
      provider.destroy();
      await store.close();
      await evm.stop();
    },
  };
}

function configOf(evm: Evm, { escrow, quorum }: EvmDeployment): OperatorConfig {
  return loadConfig({
    ASSAY_EVM_RPC_URL: evm.rpcUrl,
    ASSAY_EVM_CHAIN_ID: String(evm.chainId),
    ASSAY_ESCROW: escrow,
    ASSAY_QUORUM: quorum,
    ASSAY_QUORUM_MEMBERS: ADDRESSES.attester,
    ASSAY_QUORUM_THRESHOLD: "1",
    ASSAY_GENLAYER_RPC_URL: "http://127.0.0.1:9",
    ASSAY_GENLAYER_NETWORK: "localnet",
    ASSAY_ALLOW_ENV_KEYS: "1",
    ASSAY_ATTESTER_KEY: KEYS.attester,
    ASSAY_SUBMITTER_KEY: KEYS.submitter,
    ASSAY_RELAYER_KEY: KEYS.relayer,
  });
}

/** Terms as a request's JSON. */
export function termsJson(terms: Terms): Record<string, unknown> {
  return { ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() };
}

/** Signs a preparation's typed data as a wallet does, and as nobody but it would. */
export async function sign(step: Preparation["steps"][number], by: Wallet): Promise<Hex> {
  if (step.kind !== "sign") throw new Error(`a ${step.kind} step is nothing to sign`);
  const { domain, types, message } = step.typedData as {
    domain: Record<string, unknown>;
    types: Record<string, { name: string; type: string }[]>;
    message: Record<string, unknown>;
  };
  const { EIP712Domain: _, ...rest } = types;
  return (await by.signTypedData(domain, rest, message)) as Hex;
}
