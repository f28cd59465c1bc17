import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ContractTransactionReceipt, TransactionReceipt, TypedDataField, Wallet } from "ethers";
import type { Address, Hex } from "@assay/protocol";
import { bareEnvironment } from "@assay/localnet";

const SERVER = join(import.meta.dirname, "../../oracle/src/bin/mcp.ts");

/** A step of a preparation, as the MCP server's `prepare_` tools return it. */
export type PreparedStep =
  | {
      kind: "sign";
      signer: Address;
      goesInto: string;
      typedData: {
        domain: Record<string, unknown>;
        types: Record<string, TypedDataField[]>;
        message: Record<string, unknown>;
      };
    }
  | { kind: "send"; to: Address; data: Hex; simulation: { result: string; message: string } };

/** The answer of a `prepare_` tool. */
export interface Preparation {
  agreementId: Hex;
  steps: PreparedStep[];
}

/** An agent that knows Assay only through its MCP server. Its key stays with it: the server gets no signature unasked. */
export interface McpAgent {
  readonly address: Address;
  /**
   * Calls a tool.
   *
   * @throws with the tool's own words when it answers with an error
   */
  ask<T>(tool: string, args: Record<string, unknown>): Promise<T>;
  /** Signs what a preparation wants signed by this agent. */
  sign(step: PreparedStep): Promise<string>;
  /** Sends a prepared transaction, once its simulation succeeds. */
  send(preparation: Preparation): Promise<TransactionReceipt>;
  close(): Promise<void>;
}

/** Starts an MCP server in a process of its own, in front of `operators`, and connects an agent to it. */
export async function startMcpAgent(
  name: string,
  wallet: Wallet,
  operators: readonly string[],
): Promise<McpAgent> {
  const client = new Client({ name, version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [SERVER, ...operators.flatMap((url) => ["--operator", url])],
      env: bareEnvironment("/"),
      stderr: "inherit",
    }),
  );

  return {
    address: wallet.address as Address,

    async ask<T>(tool: string, args: Record<string, unknown>) {
      const result = await client.callTool({ name: tool, arguments: args });
      if (result.isError === true) {
        const [first] = result.content as { text?: string }[];
        throw new Error(`${tool}: ${first?.text ?? "failed without a word"}`);
      }
      return result.structuredContent as T;
    },

    async sign(step) {
      if (step.kind !== "sign" || step.signer !== wallet.address)
        throw new Error(`${name} was asked to sign for somebody else`);
      const { domain, types, message } = step.typedData;
      const { EIP712Domain: _domainType, ...own } = types;
      return wallet.signTypedData(domain, own, message);
    },

    async send({ steps }) {
      const [step] = steps;
      if (step?.kind !== "send") throw new Error(`${name} was given nothing to send`);
      if (step.simulation.result !== "succeeds") throw new Error(step.simulation.message);
      const sent = await wallet.sendTransaction({ to: step.to, data: step.data });
      const receipt: ContractTransactionReceipt | TransactionReceipt | null = await sent.wait();
      if (receipt === null) throw new Error(`${name}'s transaction was replaced`);
      return receipt;
    },

    close: () => client.close(),
  };
}
