import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { JsonRpcProvider, Wallet } from "ethers";
import { startEvm, type Evm } from "../../../localnet/src/evm/index.ts";

const providerOf = ({ rpcUrl }: Evm): JsonRpcProvider =>
  new JsonRpcProvider(rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });

describe("localnet EVM node", function () {
  this.timeout(30_000);
  let evm: Evm;
  let provider: JsonRpcProvider;

  before(async () => {
    evm = await startEvm();
    provider = providerOf(evm);
  });
  after(async () => {
    provider.destroy();
    await evm.stop();
  });

  it("is chain 31337", async () => {
    expect((await provider.getNetwork()).chainId).to.equal(31_337n);
  });

  it("funds the accounts whose keys it hands out", async () => {
    const { address, privateKey } = evm.accounts[3]!;
    expect(new Wallet(privateKey).address).to.equal(address);
    expect(await provider.getBalance(address)).to.equal(10_000n * 10n ** 18n);
  });

  it("mines a block each second by itself, and finalized trails the head by two", async () => {
    const heightOf = async (tag: string): Promise<number> => (await provider.getBlock(tag))!.number;
    const start = await heightOf("latest");
    for (let wait = 0; wait < 100 && (await heightOf("latest")) < start + 3; wait++) await delay(50);
    const [safe, finalized, latest] = await Promise.all([
      heightOf("safe"),
      heightOf("finalized"),
      heightOf("latest"),
    ]);
    expect(latest).to.be.at.least(start + 3);
    expect(latest - safe).to.be.within(1, 2);
    expect(latest - finalized).to.be.within(2, 3);
  });

  it("listens on loopback only", async () => {
    const port = new URL(evm.rpcUrl).port;
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === "IPv4" && !internal);
    for (const { address } of outside) {
      const answer = await fetch(`http://${address}:${port}`).catch(() => "refused");
      expect(answer, address).to.equal("refused");
    }
  });

  it("refuses a port in use before it starts anything", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const error: unknown = await startEvm({ port }).catch((reason: unknown) => reason);
    holder.close();
    expect(error).to.include({
      code: "PORT_IN_USE",
      message: `Port ${port}, wanted by the EVM node, is in use.`,
    });
  });

  it("refuses a negative block time", async () => {
    const error: unknown = await startEvm({ blockTimeSeconds: -1 }).catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "BAD_OPTION");
  });

  it("mines only what is sent when the block time is 0, and tells when it is killed", async () => {
    const instant = await startEvm({ blockTimeSeconds: 0 });
    const own = providerOf(instant);
    expect(await own.getBlockNumber()).to.equal(0);
    own.destroy();
    process.kill(instant.pid, "SIGKILL");
    expect(await instant.failed).to.include({
      code: "CHILD_DIED",
      message: "anvil, the EVM node, ended unexpectedly (signal SIGKILL).",
    });
    await instant.stop();
  });
});
