import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Contract, ContractFactory, ZeroAddress, type InterfaceAbi, type Wallet } from "ethers";
import {
  documentHash,
  encodeDocument,
  fiatTokenAbi,
  jobCommitment,
  jobKeyOf,
  type Address,
  type Hex,
} from "@assay/protocol";
import { loadExample, type ExampleName } from "../../../examples/index.ts";
import { publish } from "../../../scripts/local/parties.ts";
import type { Stack } from "../../../scripts/local/stack.ts";
import { REWARD } from "../../../scripts/local/walk.ts";
import { operatorUrl } from "./scene.ts";

const ARTIFACTS = join(import.meta.dirname, "../../../artifacts/test/evm/contracts/Erc8183Generations.sol");

/** Names of the standard's states, by number. */
const STATES = ["Open", "Funded", "Submitted", "Completed", "Rejected", "Expired"] as const;

/** A job that its client funded. */
export interface FundedJob {
  readonly jobId: bigint;
  readonly key: Hex;
  readonly expiredAt: number;
}

/** An ERC-8183 contract of generation A on the stack's chain, whose jobs all operators evaluate. */
export interface JobMarket {
  readonly address: Address;
  /** A job by the cast's buyer for its seller, funded with `REWARD`. */
  fund(
    example: ExampleName,
    changes?: { readonly note?: string; readonly hook?: Address; readonly seconds?: number },
  ): Promise<FundedJob>;
  /** The provider publishes the example's submission and submits its hash. */
  submit(job: FundedJob, example: ExampleName): Promise<Hex>;
  /** Anybody gives an expired job's budget back to its client. */
  claimRefund(job: FundedJob): Promise<void>;
  stateOf(job: FundedJob): Promise<(typeof STATES)[number]>;
  /** The `reason` of the job's end. */
  reasonOf(job: FundedJob): Promise<Hex>;
}

/** Deploys one of the contracts beside the generations' tests. */
export async function deployForJobs(stack: Stack, name: string, ...args: unknown[]): Promise<Contract> {
  const { abi, bytecode } = JSON.parse(readFileSync(join(ARTIFACTS, `${name}.json`), "utf8")) as {
    abi: InterfaceAbi;
    bytecode: string;
  };
  const deployed = await new ContractFactory(abi, bytecode, stack.cast.deployer).deploy(...args);
  return (await deployed.waitForDeployment()) as Contract;
}

/** Deploys the contract, and has every operator watch it. */
export async function openJobMarket(stack: Stack): Promise<JobMarket> {
  const { venue, contracts, token, cast } = stack;
  const commerce = await deployForJobs(stack, "Erc8183GenerationA", token.address);
  const address = (await commerce.getAddress()) as Address;
  await Promise.all(
    stack.operators.map((_operator, index) =>
      stack.restartOperator(index, "stop", {
        ASSAY_ERC8183_CONTRACTS: address,
        ASSAY_ERC8183_EVALUATOR: contracts.evaluator ?? "",
      }),
    ),
  );
  const send = async (wallet: Wallet, method: string, ...args: unknown[]) => {
    const sent = await new Contract(address, commerce.interface, wallet).getFunction(method).send(...args);
    const receipt = await sent.wait();
    if (!receipt) throw new Error(`${method} was replaced before it was included`);
    return receipt;
  };

  return {
    address,

    async fund(example, { note = "A small delivery.", hook = ZeroAddress as Address, seconds = 7_200 } = {}) {
      const document = encodeDocument({
        schema: "assay/agreement/1",
        ...loadExample(example).agreement,
        adjudication: venue.adjudication,
      });
      await publish(operatorUrl(stack), document);
      const expiredAt = ((await venue.provider.getBlock("latest"))?.timestamp ?? 0) + seconds;
      const description = `${note}\n${jobCommitment(documentHash(document))}`;
      const parties = [cast.seller.address, contracts.evaluator];
      await send(cast.buyer, "createJob", ...parties, expiredAt, description, hook);
      const jobId = (await commerce.getFunction("jobCount")()) as bigint;
      await send(cast.seller, "setBudget", jobId, REWARD, "0x");
      const usdc = new Contract(token.address, fiatTokenAbi, cast.buyer);
      await (await usdc.getFunction("approve").send(address, REWARD)).wait();
      await send(cast.buyer, "fund", jobId, REWARD, "0x");
      return { jobId, key: jobKeyOf(venue.chainId, address, jobId), expiredAt };
    },

    async submit({ jobId, key }, example) {
      const document = encodeDocument({
        schema: "assay/submission/1",
        agreementId: key,
        ...loadExample(example).submission,
      });
      await publish(operatorUrl(stack, 1), document);
      await send(cast.seller, "submit", jobId, documentHash(document), "0x");
      return documentHash(document);
    },

    async claimRefund({ jobId }) {
      await send(cast.relayer, "claimRefund", jobId);
    },

    async stateOf({ jobId }) {
      const job = (await commerce.getFunction("getJob")(jobId)) as { status: bigint };
      return STATES[Number(job.status)] ?? "Open";
    },

    async reasonOf({ jobId }) {
      const ends = await Promise.all(
        ["JobCompleted", "JobRejected"].map((name) => {
          const filter = commerce.filters[name]?.(jobId);
          if (!filter) throw new Error(`The contract has no event ${name}`);
          return commerce.queryFilter(filter);
        }),
      );
      const [end] = ends.flat();
      if (!end) throw new Error("The job has not ended by an evaluation");
      return end.data as Hex;
    },
  };
}
