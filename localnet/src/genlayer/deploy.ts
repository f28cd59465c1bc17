import { encodeRlp, getAddress, hexlify, Interface, toUtf8Bytes, Wallet, ZeroAddress } from "ethers";

import { LocalnetError } from "../errors.ts";
import { type CalldataInput, encodeCalldata } from "./calldata.ts";
import type { Hex } from "./execution/executor.ts";

/** A contract to deploy. */
export interface DeployParameters {
  /** The Python source, exactly as it is to be stored. */
  readonly code: string;
  /** The constructor's arguments (default none). */
  readonly args?: readonly CalldataInput[];
  /** The sender (default: one made for the occasion). */
  readonly privateKey?: Hex;
  /** Default 60. */
  readonly timeoutSeconds?: number;
}

/** A deployed contract whose deployment is FINALIZED. */
export interface Deployment {
  readonly address: Hex;
  readonly txId: Hex;
}

const consensusMain = new Interface([
  "function addTransaction(address sender, address recipient, uint256 validators, uint256 maxRotations, bytes txData, uint256 validUntil)",
]);
const VALIDATORS = 5;
const ROTATIONS = 3;
const VALID_SECONDS = 3600;
const POLL_MILLISECONDS = 100;
const DEFAULT_TIMEOUT_SECONDS = 60;

/**
 * Deploys a contract on a simulated network and waits until it is FINALIZED with its code in place.
 *
 * @throws {@link LocalnetError} `BAD_STATE` when the deployment failed, `START_TIMEOUT` when it takes too long
 */
export async function deployContract(
  network: { readonly rpcUrl: string; readonly chainId: number; readonly consensusMain: Hex },
  { code, args = [], privateKey, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: DeployParameters,
): Promise<Deployment> {
  const call = createCaller(network.rpcUrl);
  const wallet =
    privateKey === undefined ? new Wallet(Wallet.createRandom().privateKey) : new Wallet(privateKey);
  const calldata = encodeCalldata(args.length === 0 ? {} : { args });
  const txData = encodeRlp([hexlify(toUtf8Bytes(code)), hexlify(calldata), "0x00"]);
  const validUntil = Math.floor(Date.now() / 1000) + VALID_SECONDS;
  const raw = await wallet.signTransaction({
    type: 0,
    to: network.consensusMain,
    chainId: network.chainId,
    nonce: Number(await call("eth_getTransactionCount", [wallet.address, "latest"])),
    gasPrice: 0,
    gasLimit: 500_000,
    data: consensusMain.encodeFunctionData("addTransaction", [
      wallet.address,
      ZeroAddress,
      VALIDATORS,
      ROTATIONS,
      txData,
      validUntil,
    ]),
  });
  const hash = await call("eth_sendRawTransaction", [raw]);
  const { txId, address } = readLog(await call("eth_getTransactionReceipt", [hash]));
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (let status = ""; status !== "FINALIZED";) {
    if (Date.now() > deadline) {
      throw new LocalnetError(
        "START_TIMEOUT",
        `The deployment ${txId} is ${status} after ${timeoutSeconds} s.`,
        "Give the network a shorter finality window, or the deployment more time.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    status = ((await call("gen_getTransactionStatus", [{ txId }])) as { status: string }).status;
  }
  const stored = await call("gen_getContractCode", [{ address }]).catch(() => undefined);
  if (stored !== Buffer.from(code, "utf8").toString("base64")) {
    throw new LocalnetError(
      "BAD_STATE",
      `The deployment ${txId} is FINALIZED without its code at ${address}.`,
      "Read the transaction: its leader's output says what went wrong in the constructor.",
    );
  }
  return { address, txId };
}

type Caller = (method: string, params: readonly unknown[]) => Promise<unknown>;

function createCaller(rpcUrl: string): Caller {
  return async (method, params) => {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (answer.error !== undefined) {
      throw new LocalnetError("BAD_STATE", `${method} failed: ${answer.error.message}`, "Read the message.");
    }
    return answer.result;
  };
}

function readLog(receipt: unknown): Deployment {
  const topics = (receipt as { logs?: { topics: string[] }[] } | null)?.logs?.[0]?.topics;
  const [, txId, recipient] = topics ?? [];
  if (txId === undefined || recipient === undefined) {
    throw new LocalnetError(
      "BAD_STATE",
      "The deployment has no receipt.",
      "Clear the network's faults first.",
    );
  }
  return { txId: txId as Hex, address: getAddress(`0x${recipient.slice(26)}`) as Hex };
}
