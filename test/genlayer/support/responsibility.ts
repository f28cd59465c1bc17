import { readFileSync } from "node:fs";
import { Wallet } from "ethers";
import {
  type Address,
  type Hex,
  type TypedData,
  type Workflow,
  type WorkflowPlace,
  toAddress,
  workflowDigest,
  workflowKey,
} from "@assay/protocol";
import type { CalldataInput } from "../../../localnet/src/genlayer/calldata.ts";
import type { ExecutionResult } from "../../../localnet/src/genlayer/execution/executor.ts";
import type { ModelSpec } from "../../../localnet/src/genlayer/models/model.ts";
import { CHAIN_ID, CONTRACT, oncePerExecutor, run, textOf, valueOf } from "./executor.ts";

export const RESPONSIBILITY = readFileSync(
  new URL("../../../contracts-genlayer/responsibility.py", import.meta.url),
  "utf8",
);

const wallet = (byte: string): Wallet => new Wallet(`0x${byte.repeat(32)}`);

export const AGENT_A = wallet("a1");
export const AGENT_B = wallet("b2");
export const CREATOR = wallet("c3");
export const ASSESSOR = wallet("d4");
export const STRANGER = wallet("e5");

export const addressOf = ({ address }: Wallet): Address => toAddress(address);

export function workflow(changes: Partial<Workflow> = {}): Workflow {
  return {
    creator: addressOf(CREATOR),
    workflowId: "translation-7",
    agentA: addressOf(AGENT_A),
    agentB: addressOf(AGENT_B),
    taskSpec: "Publish a report in two languages.",
    agentAObligation: "Write the report; it has the line `Summary:`.",
    agentBObligation: "Translate it; the translation has the line `Zusammenfassung:`.",
    acceptanceCriteria: "Both texts are complete.",
    assessors: [addressOf(ASSESSOR)],
    patience: 3,
    ...changes,
  };
}

export const GOOD_A = "Summary: all is well.";
export const GOOD_B = "Zusammenfassung: alles ist gut.";

/** The arguments of `create_workflow`. */
export function creation(terms: Workflow): CalldataInput[] {
  const assessors = terms.assessors.map((item) => item.toLowerCase()).sort();
  return [
    ...[terms.workflowId, terms.agentA, terms.agentB, terms.taskSpec, terms.agentAObligation],
    ...[terms.agentBObligation, terms.acceptanceCriteria, assessors, terms.patience],
  ];
}

/** The typed data's place for a workflow in the contract of these tests. */
export function placeOf(terms: Workflow): WorkflowPlace {
  return { chainId: Number(CHAIN_ID), contract: toAddress(CONTRACT), workflowKey: workflowKey(terms) };
}

export async function sign(signer: Wallet, { domain, types, message }: TypedData): Promise<string> {
  return signer.signTypedData(domain, types, message);
}

/** A deployed contract and what was done to it; a refused call leaves it as it was. */
export class Contract {
  #state: Uint8Array;

  private constructor(state: Uint8Array) {
    this.#state = state;
  }

  static async deployed(): Promise<Contract> {
    const result = await run(RESPONSIBILITY, "deploy");
    if (result.state === null)
      throw new Error(`the contract does not deploy: ${textOf(result)} ${result.stderr}`);
    return new Contract(result.state);
  }

  copy(): Contract {
    return new Contract(this.#state);
  }

  /** Sends a transaction, runs its leader and keeps what it stored. */
  async write(
    sender: Wallet,
    method: string,
    args: CalldataInput[],
    options: { model?: ModelSpec; leader?: ExecutionResult; datetime?: string } = {},
  ): Promise<ExecutionResult> {
    const { leader, datetime, model } = options;
    const result = await run(
      RESPONSIBILITY,
      "write",
      { method, args },
      {
        state: this.#state,
        sender: addressOf(sender),
        ...(model === undefined ? {} : { model }),
        ...(datetime === undefined
          ? {}
          : {
              message: {
                contractAddress: CONTRACT,
                senderAddress: addressOf(sender),
                originAddress: addressOf(sender),
                value: 0n,
                chainId: CHAIN_ID,
                datetime,
              },
            }),
        mode:
          leader === undefined
            ? { role: "leader" }
            : { role: "validator", leaderOutputs: leader.nondetOutputs },
      },
    );
    if (leader === undefined && result.kind === "return" && result.state !== null) this.#state = result.state;
    return result;
  }

  /** A transaction that must succeed. */
  async send(
    sender: Wallet,
    method: string,
    args: CalldataInput[],
    options: { model?: ModelSpec; datetime?: string } = {},
  ): Promise<void> {
    valueOf(await this.write(sender, method, args, options));
  }

  /** The text of the error of a transaction that must be refused. */
  async refusal(
    sender: Wallet,
    method: string,
    args: CalldataInput[],
    options: { model?: ModelSpec } = {},
  ): Promise<string> {
    const result = await this.write(sender, method, args, options);
    if (result.kind === "return") throw new Error(`${method} was taken`);
    return textOf(result);
  }

  async read(method: string, ...args: CalldataInput[]): Promise<Record<string, unknown>> {
    return valueOf(await run(RESPONSIBILITY, "read", { method, args }, { state: this.#state })) as Record<
      string,
      unknown
    >;
  }

  async stateOf(terms: Workflow): Promise<unknown> {
    return (await this.read("get_workflow", workflowKey(terms)))["state"];
  }

  async create(terms: Workflow, creator: Wallet = CREATOR): Promise<Hex> {
    await this.send(creator, "create_workflow", creation(terms));
    return workflowKey(terms);
  }

  async accept(terms: Workflow, ...agents: Wallet[]): Promise<void> {
    for (const agent of agents) {
      await this.send(agent, "accept_workflow", [workflowKey(terms), workflowDigest(terms)]);
    }
  }
}

const ready = oncePerExecutor(async () => {
  const contract = await Contract.deployed();
  const key = await contract.create(workflow());
  await contract.accept(workflow(), AGENT_A, AGENT_B);
  await contract.send(AGENT_A, "submit_output", [key, GOOD_A]);
  await contract.send(AGENT_B, "submit_output", [key, GOOD_B]);
  return contract;
});

/** A contract with the workflow of {@link workflow} created, accepted and delivered by both. */
export async function readyContract(): Promise<Contract> {
  return (await ready()).copy();
}
