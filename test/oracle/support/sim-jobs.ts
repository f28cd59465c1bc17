import { Interface, recoverAddress } from "ethers";
import {
  adjudicatorConfigOf,
  erc8183EvaluatorAbi,
  jobKeyOf,
  toAddress,
  toHash,
  verdictDigest,
  type Address,
  type Hex,
  type Verdict,
} from "@assay/protocol";

export const COMMERCE: Address = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
export const EVALUATOR: Address = "0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9";

export const commerceInterface = new Interface([
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)",
  "event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount)",
  "event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable)",
  "event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason)",
  "event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason)",
  "event JobExpired(uint256 indexed jobId)",
  `function getJob(uint256) view returns (tuple(uint256 id, address client, address provider, address evaluator,
     string description, uint256 budget, uint256 expiredAt, uint8 status, address hook, address paymentToken))`,
]);
const evaluatorInterface = new Interface(erc8183EvaluatorAbi);

/** A job as its client made it. */
export interface SimJob {
  readonly jobId: bigint;
  readonly client: Address;
  readonly provider: Address;
  readonly evaluator: Address;
  readonly description: string;
  readonly budget: bigint;
  readonly expiredAt: number;
}

const STATUSES: Readonly<Record<string, number>> = {
  JobCreated: 0,
  JobFunded: 1,
  JobSubmitted: 2,
  JobCompleted: 3,
  JobRejected: 4,
  JobExpired: 5,
};

/** What an ERC-8183 contract's log amounts to for the simulated chain. */
export interface JobLog {
  readonly key: Hex;
  readonly name: string;
}

/** One ERC-8183 contract and the evaluator of a set, without a chain of their own: what happened is given. */
export class SimJobs {
  readonly #chainId: number;
  readonly #jobs = new Map<Hex, SimJob>();
  /** What `getJob` says in place of the truth. */
  lies: Partial<SimJob> | "reverts" | "nonsense" = {};
  /** Gas that ending a job takes; a hook may want any amount. */
  gas = 120_000n;
  /** Whether the contract, or its hook, refuses to end jobs. */
  refuses = false;
  readonly configHash: Hex;

  constructor(chainId: number, configHash: Hex) {
    this.#chainId = chainId;
    this.configHash = configHash;
  }

  keyOf(jobId: bigint): Hex {
    return jobKeyOf(this.#chainId, COMMERCE, jobId);
  }

  add(job: SimJob): Hex {
    const key = this.keyOf(job.jobId);
    this.#jobs.set(key, job);
    return key;
  }

  job(key: Hex): SimJob {
    return this.#jobs.get(key)!;
  }

  /** Answers a call of either contract; "reverts" when it would, undefined when it is to neither. */
  call(to: Address, data: string, logs: readonly JobLog[]): string | undefined {
    if (to === EVALUATOR) return this.configHash;
    if (to !== COMMERCE) return undefined;
    if (this.lies === "nonsense") return "0x1234";
    const [jobId] = commerceInterface.decodeFunctionData("getJob", data) as unknown as [bigint];
    const job = this.#jobs.get(this.keyOf(jobId));
    if (job === undefined || this.lies === "reverts") return "reverts";
    const shown = { ...job, ...this.lies };
    return commerceInterface.encodeFunctionResult("getJob", [
      [
        ...[shown.jobId, shown.client, shown.provider, shown.evaluator, shown.description, shown.budget],
        ...[shown.expiredAt, this.status(this.keyOf(jobId), logs), EVALUATOR, EVALUATOR],
      ],
    ]);
  }

  /** The job's status by the standard's numbers, after these logs. */
  status(key: Hex, logs: readonly JobLog[]): number {
    const newest = logs.findLast((log) => log.key === key);
    return STATUSES[newest?.name ?? ""] ?? 0;
  }

  /** The evaluator's and the contract's rules; null is a revert. */
  deliver(
    data: string,
    timestamp: number,
    logs: readonly JobLog[],
  ): {
    readonly key: Hex;
    readonly verdict: Verdict;
    readonly name: string;
    readonly values: unknown[];
  } | null {
    const call = evaluatorInterface.parseTransaction({ data });
    if (call?.name !== "deliver" || this.refuses) return null;
    const { verdict, jobId, members, threshold, signatures } = argumentsOf(call.args);
    const key = this.keyOf(jobId);
    if (verdict.agreementId !== key || timestamp > verdict.notAfter) return null;
    if (adjudicatorConfigOf(members, threshold) !== this.configHash) return null;
    const digest = verdictDigest(verdict, this.#chainId, EVALUATOR);
    const signed = members.filter((member, index) => {
      const signature = signatures[index];
      return signature !== undefined && signature !== "0x" && recoverAddress(digest, signature) === member;
    });
    if (signed.length < threshold || verdict.outcome === 3) return null;
    if (this.status(key, logs) !== 2 || this.job(key).evaluator !== EVALUATOR) return null;
    const name = verdict.outcome === 1 ? "JobCompleted" : "JobRejected";
    return { key, verdict, name, values: [jobId, EVALUATOR, verdict.verdictHash] };
  }
}

type Arguments = readonly [
  Record<keyof Verdict, unknown>,
  bigint,
  { readonly members: readonly string[]; readonly threshold: bigint },
  readonly string[],
];

function argumentsOf(given: unknown) {
  const [verdict, jobId, quorum, signatures] = given as Arguments;
  return {
    jobId,
    verdict: {
      escrow: toAddress(String(verdict.escrow)),
      agreementId: toHash(String(verdict.agreementId)),
      submissionHash: toHash(String(verdict.submissionHash)),
      outcome: Number(verdict.outcome),
      verdictHash: toHash(String(verdict.verdictHash)),
      judge: toAddress(String(verdict.judge)),
      judgeTx: toHash(String(verdict.judgeTx)),
      notAfter: Number(verdict.notAfter),
    },
    members: [...quorum.members].map((member) => toAddress(member)),
    threshold: Number(quorum.threshold),
    signatures: [...signatures],
  };
}
