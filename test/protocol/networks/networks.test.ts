import { expect } from "chai";
import { localnet, studionet, testnetAsimov, testnetBradbury } from "genlayer-js/chains";
import { NETWORKS, findEvmNetwork, findGenLayerNetwork, findNetwork, isChecksummed } from "@assay/protocol";

describe("networks", () => {
  it("have unique names", () => {
    const names = NETWORKS.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  it("have addresses in EIP-55 spelling", () => {
    for (const network of NETWORKS) {
      const addresses =
        network.layer === "genlayer"
          ? [network.consensusMain, network.consensusData]
          : [network.usdc ?? network.name];
      for (const address of addresses)
        if (address !== network.name) expect(isChecksummed(address)).to.equal(true);
    }
  });

  describe("of GenLayer agree with genlayer-js", () => {
    for (const [name, chain] of Object.entries({ localnet, studionet, testnetAsimov, testnetBradbury })) {
      it(name, () => {
        const network = findGenLayerNetwork(name);
        expect(network?.chainId).to.equal(chain.id);
        expect(network?.kind).to.equal(chain.isStudio ? "studio" : "testnet");
        expect(network?.consensusMain).to.equal(chain.consensusMainContract?.address);
        expect(network?.consensusData).to.equal(chain.consensusDataContract?.address);
      });
    }
  });

  it("are found by name, and by chain id on the EVM", () => {
    expect(findNetwork("base")).to.equal(findEvmNetwork(8453));
    expect(findNetwork("localnet")?.layer).to.equal("genlayer");
    expect(findEvmNetwork(31337)?.simulated).to.equal(true);
    expect(findEvmNetwork(84532)?.usdc).to.equal("0x036CbD53842c5426634e7929541eC2318f3dCF7e");
  });

  it("are not found by a name that is none, on the wrong layer, or inherited", () => {
    expect(findNetwork("nowhere")).to.equal(undefined);
    expect(findNetwork("constructor")).to.equal(undefined);
    expect(findGenLayerNetwork("base")).to.equal(undefined);
    expect(findEvmNetwork(4221)).to.equal(undefined);
  });

  it("share a chain id where GenLayer's testnets do, so that only ConsensusMain identifies one", () => {
    const [asimov, bradbury] = [findGenLayerNetwork("testnetAsimov"), findGenLayerNetwork("testnetBradbury")];
    expect(asimov?.chainId).to.equal(bradbury?.chainId);
    expect(asimov?.consensusMain).to.not.equal(bradbury?.consensusMain);
  });
});
