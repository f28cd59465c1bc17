import { expect } from "chai";
import { Contract, JsonRpcProvider, Wallet } from "ethers";
import { deployFiatToken, startEvm, type Evm, type FiatToken } from "../../../localnet/src/evm/index.ts";

const ABI = [
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function version() view returns (string)",
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function balanceOf(address) view returns (uint256)",
  "function isBlacklisted(address) view returns (bool)",
  "function paused() view returns (bool)",
  "function transfer(address, uint256) returns (bool)",
];

describe("localnet USDC", function () {
  this.timeout(30_000);
  let evm: Evm;
  let provider: JsonRpcProvider;
  let token: FiatToken;
  let contract: Contract;
  let holder: Wallet;

  before(async () => {
    evm = await startEvm({ blockTimeSeconds: 0 });
    provider = new JsonRpcProvider(evm.rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 25;
    token = await deployFiatToken(new Wallet(evm.accounts[0]!.privateKey, provider));
    holder = new Wallet(evm.accounts[1]!.privateKey, provider);
    contract = new Contract(token.address, ABI, holder);
  });
  after(async () => {
    provider.destroy();
    await evm.stop();
  });

  const read = (method: string, ...args: unknown[]): Promise<unknown> =>
    contract.getFunction(method).staticCall(...args) as Promise<unknown>;

  for (const [method, value] of [
    ["name", "USD Coin"],
    ["symbol", "USDC"],
    ["version", "2"],
    ["decimals", 6n],
  ] as const) {
    it(`answers ${method} as USDC on Base does`, async () => {
      expect(await read(method)).to.equal(value);
    });
  }

  it("mints what it is told to", async () => {
    await token.mint(holder.address, 5_000_000n);
    expect(await read("balanceOf", holder.address)).to.equal(5_000_000n);
  });

  it("bars a blacklisted account until it is taken off the list", async () => {
    await token.blacklist(holder.address);
    expect(await read("isBlacklisted", holder.address)).to.equal(true);
    const error: unknown = await read("transfer", evm.accounts[2]!.address, 1n).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property("message").that.includes("Blacklistable: account is blacklisted");
    await token.unBlacklist(holder.address);
    expect(await read("transfer", evm.accounts[2]!.address, 1n)).to.equal(true);
  });

  it("moves nothing while it is paused", async () => {
    await token.pause();
    const error: unknown = await read("transfer", evm.accounts[2]!.address, 1n).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property("message").that.includes("Pausable: paused");
    await token.unpause();
    expect(await read("paused")).to.equal(false);
  });
});
