/**
 * Measures the judge on the simulated GenLayer network: `npm run bench:judge -- [--json]`.
 *
 * - `deterministic100KiBCpuSeconds`: CPU time of the whole process, client included, for one adjudication of a
 *   100 KiB submission without model requirements by five validators; median of several, warm.
 * - `adjudicationsPerMinute`: sustained rate of accepted adjudications with a requirement for the `rules` judge.
 * - `startSeconds`: from nothing to a network that answers.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { deployContract, encodeCalldata, startGenLayerNetwork, type GenLayerNetwork } from "@assay/localnet";
import {
  type Agreement,
  documentHash,
  encodeDocument,
  type Hex,
  type Submission,
  toAddress,
} from "@assay/protocol";
import { encodeRlp, hexlify, Interface, keccak256, toUtf8Bytes, Wallet } from "ethers";

const BARS = { deterministic100KiBCpuSeconds: 1.5, adjudicationsPerMinute: 50, startSeconds: 5 } as const;

const KIBIBYTE = 1024;
const WARM_UPS = 3;
const RUNS = 5;
const SUSTAINED_SECONDS = 30;
/** Transactions under way at a time, so that the network never waits for the client. */
const IN_FLIGHT = 3;
const EVM_CHAIN_ID = 31_337;
const ESCROW = toAddress(`0x${"e5".repeat(20)}`);

const VERIFIER = readFileSync(
  new URL("../../contracts-genlayer/agreement_verifier.py", import.meta.url),
  "utf8",
);

const consensusMain = new Interface(["function addTransaction(address,address,uint256,uint256,bytes)"]);

type Requirements = Agreement["requirements"];

const DETERMINISTIC: Requirements = [
  { id: "FILE", text: "There is a reset module.", check: { type: "file_exists", path: "src/module-0.ts" } },
  { id: "WORD", text: "It names the limit.", check: { type: "string_present", needle: "expiresAt" } },
  {
    id: "FUNCTION",
    text: "It resets.",
    check: { type: "function_exists", name: "resetPassword", language: "typescript" },
  },
];
const WITH_MODEL: Requirements = [
  ...DETERMINISTIC,
  { id: "JUDGED", text: "The code tests `expiresAt <= now`." },
];

/** A network with the verifier on it, and a sender. */
interface Bench {
  readonly network: GenLayerNetwork;
  readonly contract: Hex;
  readonly wallet: Wallet;
  readonly rpc: (method: string, ...params: unknown[]) => Promise<unknown>;
  sent: number;
}

function source(kibibytes: number): Record<string, string> {
  const files: Record<string, string> = {};
  const line =
    "  if (token.expiresAt <= now) throw new Error(`expired at ${token.expiresAt}`); // no second use\n";
  const body = line.repeat(Math.ceil((10 * KIBIBYTE) / line.length));
  for (let index = 0; index < Math.max(1, Math.round(kibibytes / 10)); index += 1) {
    files[`src/module-${index}.ts`] =
      `export function ${index === 0 ? "resetPassword" : `helper${index}`}() {\n${body}}\n`;
  }
  return files;
}

function callFor(bench: Bench, requirements: Requirements, kibibytes: number): Uint8Array {
  const agreementId = keccak256(toUtf8Bytes(`bench ${bench.sent}`)) as Hex;
  const { chainId, consensusMain: main } = bench.network;
  const agreement: Agreement = {
    schema: "assay/agreement/1",
    title: "Password reset",
    task: "Write a password reset that refuses expired tokens.",
    requirements,
    evidenceRequired: [],
    adjudication: {
      network: "localnet",
      chainId,
      consensusMain: main,
      contract: bench.contract,
      codeHash: documentHash(toUtf8Bytes(VERIFIER)),
      relayers: [toAddress(bench.wallet.address)],
      minValidators: 5,
      rounds: 1,
    },
  };
  const submission: Submission = {
    schema: "assay/submission/1",
    agreementId,
    summary: "Done.",
    files: source(kibibytes),
    links: [],
    evidence: [],
  };
  const text = (document: Agreement | Submission): string =>
    new TextDecoder().decode(encodeDocument(document));
  return encodeCalldata({
    method: "adjudicate",
    args: [agreementId, EVM_CHAIN_ID, ESCROW, text(agreement), text(submission)],
  });
}

async function send(bench: Bench, calldata: Uint8Array): Promise<string> {
  const payload = encodeRlp([hexlify(calldata), "0x00"]);
  const data = consensusMain.encodeFunctionData("addTransaction", [
    bench.wallet.address,
    bench.contract,
    5,
    3,
    payload,
  ]);
  const raw = await bench.wallet.signTransaction({
    type: 0,
    to: bench.network.consensusMain,
    chainId: bench.network.chainId,
    nonce: bench.sent,
    gasPrice: 0,
    gasLimit: 500_000,
    data,
  });
  bench.sent += 1;
  return (await bench.rpc("eth_sendRawTransaction", raw)) as string;
}

/** Sends one adjudication and waits until it is final; refuses to count anything but success. */
async function adjudicate(bench: Bench, requirements: Requirements, kibibytes: number): Promise<void> {
  const id = await send(bench, callFor(bench, requirements, kibibytes));
  for (let status = ""; status !== "FINALIZED";) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    status = ((await bench.rpc("gen_getTransactionStatus", id)) as { status: string }).status;
  }
  const { result_name: result, txExecutionResultName: execution } = (await bench.rpc(
    "eth_getTransactionByHash",
    id,
  )) as { result_name: string; txExecutionResultName: string };
  if (result !== "MAJORITY_AGREE" || execution !== "FINISHED_WITH_RETURN") {
    throw new Error(`adjudication ${id} ended as ${result}, ${execution}`);
  }
}

async function measureDeterministic(bench: Bench): Promise<number> {
  const seconds: number[] = [];
  for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
    const before = process.cpuUsage();
    await adjudicate(bench, DETERMINISTIC, 100);
    const { user, system } = process.cpuUsage(before);
    if (run >= WARM_UPS) seconds.push((user + system) / 1e6);
  }
  return seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? Number.NaN;
}

async function measureRate(bench: Bench): Promise<number> {
  const started = performance.now();
  const deadline = started + SUSTAINED_SECONDS * 1000;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < deadline) {
      await adjudicate(bench, WITH_MODEL, 10);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return (done * 60_000) / (performance.now() - started);
}

async function startBench(): Promise<{ bench: Bench; startSeconds: number }> {
  const started = performance.now();
  const network = await startGenLayerNetwork({ finalityWindowSeconds: 0 });
  const rpc: Bench["rpc"] = async (method, ...params) => {
    const response = await fetch(network.rpcUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await rpc("eth_chainId");
  const startSeconds = (performance.now() - started) / 1000;
  const { address } = await deployContract(network, { code: VERIFIER });
  const wallet = new Wallet(Wallet.createRandom().privateKey);
  return { bench: { network, contract: address, wallet, rpc, sent: 0 }, startSeconds };
}

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const { bench, startSeconds } = await startBench();
try {
  const figures = {
    deterministic100KiBCpuSeconds: await measureDeterministic(bench),
    adjudicationsPerMinute: await measureRate(bench),
    startSeconds,
  };
  if (values.json) {
    console.log(JSON.stringify(figures));
  } else {
    for (const [name, value] of Object.entries(figures)) {
      console.log(
        `${name.padEnd(30)} ${value.toFixed(2).padStart(8)}   bar ${BARS[name as keyof typeof BARS]}`,
      );
    }
  }
} finally {
  await bench.network.stop();
}
