import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ContractFactory, type InterfaceAbi, type Signer } from "ethers";
import type { Address } from "@assay/protocol";

/** The contracts of one deployment and the block before which the index and the operators need not look. */
export interface EvmDeployment {
  escrow: Address;
  quorum: Address;
  /** Evaluates jobs of ERC-8183 contracts; left out when no evaluators were given. */
  evaluator?: Address;
  /** Rules on execution proofs. */
  gate: Address;
  startBlock: number;
}

/** Who evaluates jobs: strictly ascending members, as many of which must sign as the threshold says. */
export interface Evaluators {
  members: readonly Address[];
  threshold: number;
}

const ARTIFACTS = join(import.meta.dirname, "../../artifacts/contracts-evm");

/**
 * Deploys the escrow for one token, and the adjudicators that deliver verdicts to it and to ERC-8183 jobs.
 *
 * @param signer pays for the deployment; it keeps no power over what it deployed
 * @param token the only token that this escrow will ever hold
 * @param evaluators whose certificates end ERC-8183 jobs; without them no evaluator is deployed
 * @throws when the contracts have not been compiled, or the chain refuses
 */
export async function deployEvm(
  signer: Signer,
  token: Address,
  evaluators?: Evaluators,
): Promise<EvmDeployment> {
  const escrow = await deploy(signer, "AgreementEscrow", [token]);
  const quorum = await deploy(signer, "VerdictQuorum", []);
  const gate = await deploy(signer, "ExecutionProofGate", []);
  const deployment = {
    ...{ escrow: escrow.address, quorum: quorum.address, gate: gate.address },
    startBlock: escrow.block,
  };
  if (evaluators === undefined) return deployment;
  const { address } = await deploy(signer, "Erc8183Evaluator", [evaluators.members, evaluators.threshold]);
  return { ...deployment, evaluator: address };
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
