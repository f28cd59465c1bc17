import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ContractFactory, type InterfaceAbi, type Signer } from "ethers";
import type { Address } from "@assay/protocol";

/** The contracts of one deployment and the block before which the index and the operators need not look. */
export interface EvmDeployment {
  escrow: Address;
  quorum: Address;
  startBlock: number;
}

const ARTIFACTS = join(import.meta.dirname, "../../artifacts/contracts-evm");

/**
 * Deploys the escrow for one token, and the quorum that delivers verdicts to it.
 *
 * @param signer pays for the deployment; it keeps no power over what it deployed
 * @param token the only token that this escrow will ever hold
 * @throws when the contracts have not been compiled, or the chain refuses
 */
export async function deployEvm(signer: Signer, token: Address): Promise<EvmDeployment> {
  const escrow = await deploy(signer, "AgreementEscrow", [token]);
  const quorum = await deploy(signer, "VerdictQuorum", []);
  return { escrow: escrow.address, quorum: quorum.address, startBlock: escrow.block };
}

async function deploy(
  signer: Signer,
  name: string,
  args: unknown[],
): Promise<{ address: Address; block: number }> {
  const { abi, bytecode } = readArtifact(name);
  const contract = await new ContractFactory(abi, bytecode, signer).deploy(...args);
  const receipt = await contract.deploymentTransaction()?.wait();
  if (!receipt?.contractAddress) throw new Error(`The deployment of ${name} left no contract`);
  return { address: receipt.contractAddress as Address, block: receipt.blockNumber };
}

function readArtifact(name: string): { abi: InterfaceAbi; bytecode: string } {
  const path = join(ARTIFACTS, `${name}.sol`, `${name}.json`);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { abi: InterfaceAbi; bytecode: string };
  } catch (cause) {
    throw new Error(`${name} is not compiled; run "npm run build" first`, { cause });
  }
}
