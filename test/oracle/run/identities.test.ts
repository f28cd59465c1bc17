import { expect } from "chai";
import type { OperatorConfig } from "../../../oracle/src/index.ts";
import type { Judge } from "../../../oracle/src/judge/index.ts";
import { ChainIdentityError, RpcUnavailableError, type EvmChain } from "../../../oracle/src/rpc/index.ts";
import { reverifyIdentities, verifyIdentities } from "../../../oracle/src/run/index.ts";
import { openSqliteStore, type Store } from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";
import { ESCROW, QUORUM } from "../support/sim-evm.ts";
import { hash } from "../support/states.ts";

const config = {
  jobs: null,
  evm: { chainId: 31_337, escrow: ESCROW, quorum: QUORUM, tokenDecimals: 6 },
} as unknown as OperatorConfig;
const judge = {
  network: { name: "localnet" },
  verifyIdentity: () => Promise.resolve(),
} as unknown as Judge;
const chainWith = (genesisHash: string) =>
  ({ verifyIdentity: () => Promise.resolve({ genesisHash }) }) as unknown as EvmChain;
const silent = {
  verifyIdentity: () => Promise.reject(new RpcUnavailableError("bench://evm", "eth_chainId", "no answer")),
} as unknown as EvmChain;

describe("the chains' identities", () => {
  let store: Store;
  beforeEach(async () => {
    store = openSqliteStore(":memory:");
    await verifyIdentities(config, store, chainWith(hash(1)), judge);
  });
  afterEach(() => store.close());

  it("are held against what the store was filled from at every start", async () => {
    await verifyIdentities(config, store, chainWith(hash(1)), judge);
    expect(await rejection(verifyIdentities(config, store, chainWith(hash(2)), judge))).to.be.instanceOf(
      ChainIdentityError,
    );
  });

  it("end the operator when its endpoints lead to another chain while it runs, by the genesis block alone", async () => {
    await reverifyIdentities(config, store, chainWith(hash(1)), judge);
    expect(await rejection(reverifyIdentities(config, store, chainWith(hash(2)), judge)))
      .to.be.instanceOf(ChainIdentityError)
      .with.property("message")
      .that.includes(hash(2));
  });

  it("are not doubted because an endpoint does not answer", async () => {
    await reverifyIdentities(config, store, silent, judge);
  });
});
