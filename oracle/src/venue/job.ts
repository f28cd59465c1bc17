import { Interface } from "ethers";
import { toAddress, type Address, type Hex } from "@assay/protocol";
import { RpcResponseError, type EscrowStatus, type EvmChain } from "../rpc/index.ts";
import type { JobRef } from "../store/index.ts";

/** A job as its contract tells of it. */
export interface Job {
  readonly id: bigint;
  readonly client: Address;
  readonly provider: Address;
  readonly evaluator: Address;
  readonly description: string;
  /** Base units of whatever token the contract holds for it. */
  readonly budget: bigint;
  /** Unix seconds. */
  readonly expiredAt: bigint;
  /** In the words of the escrow. */
  readonly status: EscrowStatus;
}

/**
 * The standard names no getter. The reference's contracts of both published generations, and others that follow them,
 * have this one, whose struct begins alike; what comes after the status differs, and is not read.
 */
const jobInterface = new Interface([
  `function getJob(uint256 jobId) view returns (tuple(uint256 id, address client, address provider, address evaluator,
     string description, uint256 budget, uint256 expiredAt, uint8 status) job)`,
]);

/** The standard's states by number: Open, Funded, Submitted, Completed, Rejected, Expired. */
const STATUSES: readonly EscrowStatus[] = ["None", "Funded", "Submitted", "Released", "Refunded", "Refunded"];

/**
 * Reads a job.
 *
 * @returns null when its contract refuses to tell, or tells of it in another way.
 * @throws the errors of `EvmChain` when the endpoint can't be asked.
 */
export async function readJob(
  chain: Pick<EvmChain, "call">,
  { commerce, jobId }: JobRef,
  at: number | "latest",
): Promise<Job | null> {
  const data = jobInterface.encodeFunctionData("getJob", [jobId]) as Hex;
  try {
    return decodeJob(await chain.call({ to: commerce, data }, at));
  } catch (error) {
    // With data it is the contract that refused, without it may be the endpoint.
    if (error instanceof RpcResponseError && error.data !== null) return null;
    throw error;
  }
}

interface DecodedJob {
  readonly id: bigint;
  readonly client: string;
  readonly provider: string;
  readonly evaluator: string;
  readonly description: string;
  readonly budget: bigint;
  readonly expiredAt: bigint;
  readonly status: bigint;
}

function decodeJob(answer: Hex): Job | null {
  try {
    const [job] = jobInterface.decodeFunctionResult("getJob", answer) as unknown as [DecodedJob];
    const status = STATUSES[Number(job.status)];
    if (status === undefined) return null;
    return {
      id: job.id,
      client: toAddress(job.client),
      provider: toAddress(job.provider),
      evaluator: toAddress(job.evaluator),
      // A text that is no UTF-8 throws when it is asked for.
      description: job.description,
      budget: job.budget,
      expiredAt: job.expiredAt,
      status,
    };
  } catch {
    return null;
  }
}
