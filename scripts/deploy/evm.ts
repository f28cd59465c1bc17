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
  // All are sent before any is waited for: none needs another one's address.
  let nonce = await signer.getNonce("pending");
  const send = (name: string, ...args: unknown[]): Promise<Sent> => sendOne(signer, nonce++, name, args);
  const escrow = await send("AgreementEscrow", token);
  const quorum = await send("VerdictQuorum");
  const gate = await send("ExecutionProofGate");
  const evaluator = evaluators && (await send("Erc8183Evaluator", evaluators.members, evaluators.threshold));
  const { address, block } = await escrow.deployed();
  return {
    ...{ escrow: address, startBlock: block },
    quorum: (await quorum.deployed()).address,
    gate: (await gate.deployed()).address,
    ...(evaluator && { evaluator: (await evaluator.deployed()).address }),
  };
}

/** A deployment on its way. */
interface Sent {
  /** @throws when the block that holds it left no contract */
  deployed(): Promise<{ address: Address; block: number }>;
}

async function sendOne(signer: Signer, nonce: number, name: string, args: unknown[]): Promise<Sent> {
  const { abi, bytecode } = readArtifact(name);
  const contract = await new ContractFactory(abi, bytecode, signer).deploy(...args, { nonce });
  return {
    async deployed() {
      const receipt = await contract.deploymentTransaction()?.wait();
      if (!receipt?.contractAddress) throw new Error(`The deployment of ${name} left no contract`);
      return { address: receipt.contractAddress as Address, block: receipt.blockNumber };
    },
  };
}

function readArtifact(name: string): { abi: InterfaceAbi; bytecode: string } {
  const path = join(ARTIFACTS, `${name}.sol`, `${name}.json`);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { abi: InterfaceAbi; bytecode: string };
  } catch (cause) {
    throw new Error(`${name} is not compiled; run "npm run build" first`, { cause });
  }
}
