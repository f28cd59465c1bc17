// Posts the verdict of a settled agreement to ERC-8004 registries. Opt-in, and outside the money path: nothing in Assay
// reads them. The operator prepares the transaction; here it is checked against the verdict record before it is signed.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { JsonRpcProvider, Wallet } from "ethers";
import { parseVerdictRecord, canonicalize, verdictHash, type Hex } from "@assay/protocol";
import { erc8004Abi } from "@assay/oracle";

const USAGE = `usage: npm run erc8004 -- <feedback|validation-request|validation-response> [options]

  --operator <url>        operator that prepares the transaction
  --agreement <id>        agreement that a verdict settled
  --registry <address>    ERC-8004 reputation registry (feedback) or validation registry
  --agent-id <number>     the seller's id in the identity registry (not for validation-response)
  --validator <address>   who will respond (validation-request only)
  --rpc-url <url>         EVM endpoint to send through
  --keystore <file>       keystore v3 of the account that sends
  --password-file <file>  file with its password
  --dry-run               prepare and check, but sign and send nothing
  --help                  this text

One line of JSON goes to standard output. Exit codes: 0 done, 1 refused or failed.
`;

const OPERATIONS: Readonly<Record<string, string>> = {
  feedback: "giveFeedback",
  "validation-request": "validationRequest",
  "validation-response": "validationResponse",
};

/** Something has to be changed; the message says what. */
class PostError extends Error {
  override name = "PostError";
}

interface Prepared {
  readonly agreementId: Hex;
  readonly steps: readonly {
    readonly kind: string;
    readonly to: string;
    readonly data: Hex;
    readonly chainId: number;
    readonly description: string;
    readonly simulation: { readonly result: string; readonly message: string };
  }[];
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(15_000) });
  const body = (await response.json()) as { readonly detail?: string; readonly hint?: string };
  if (!response.ok)
    throw new PostError(
      `the operator answered ${response.status}: ${body.detail ?? ""} ${body.hint ?? ""}`.trim(),
    );
  return body;
}

/**
 * The step to send, once it is clear that it says what the verdict record says.
 *
 * @throws PostError when the operator prepared something else.
 */
async function checkedStep(operator: string, registry: string, agreement: string, prepared: Prepared) {
  const [step] = prepared.steps;
  if (step?.kind !== "send") throw new PostError("the operator prepared no transaction");
  if (step.to.toLowerCase() !== registry.toLowerCase())
    throw new PostError(`the operator prepared a call of ${step.to}, not of the registry`);
  const call = erc8004Abi.parseTransaction({ data: step.data });
  if (call === null) throw new PostError("the operator prepared a call that ERC-8004 does not have");
  const args = call.args.toObject() as Record<string, string | bigint | undefined>;
  const stated = String(args["feedbackHash"] ?? args["responseHash"] ?? "");
  if (stated === "") return step;
  const view = (await ask(`${operator}/v1/verdicts/${stated}`)) as {
    readonly record: Record<string, unknown>;
  };
  const record = parseVerdictRecord(canonicalize(view.record));
  if (verdictHash(record) !== stated)
    throw new PostError("the verdict record does not hash to what would be posted");
  if (record.agreementId !== agreement.toLowerCase())
    throw new PostError(`the verdict is about agreement ${record.agreementId}`);
  const score = String(args["value"] ?? args["response"]);
  if (score !== (record.outcome === "PASS" ? "100" : "0"))
    throw new PostError(`a score of ${score} does not follow from ${record.outcome}`);
  return step;
}

async function walletOf(keystore: string | undefined, passwordFile: string | undefined): Promise<Wallet> {
  if (keystore === undefined || passwordFile === undefined)
    throw new PostError("give --keystore and --password-file of the account that sends");
  const password = readFileSync(passwordFile, "utf8").replace(/\r?\n$/, "");
  return (await Wallet.fromEncryptedJson(readFileSync(keystore, "utf8"), password)) as Wallet;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      operator: { type: "string" },
      agreement: { type: "string" },
      registry: { type: "string" },
      "agent-id": { type: "string" },
      validator: { type: "string" },
      "rpc-url": { type: "string" },
      keystore: { type: "string" },
      "password-file": { type: "string" },
      "dry-run": { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  const operation = OPERATIONS[positionals[0] ?? ""];
  const { operator, agreement, registry } = values;
  if (operation === undefined || operator === undefined || agreement === undefined || registry === undefined)
    throw new PostError(`say what to post, and give --operator, --agreement and --registry\n\n${USAGE}`);
  const isDry = values["dry-run"] === true;
  const wallet = isDry ? null : await walletOf(values.keystore, values["password-file"]);
  const base = operator.replace(/\/+$/, "");
  const prepared = (await ask(`${base}/v1/prepare/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      agreementId: agreement,
      registry,
      from: wallet?.address ?? `0x${"11".repeat(20)}`,
      ...(values["agent-id"] === undefined ? {} : { agentId: values["agent-id"] }),
      ...(values.validator === undefined ? {} : { validator: values.validator }),
    }),
  })) as Prepared;
  const step = await checkedStep(base, registry, agreement, prepared);
  if (wallet === null) {
    process.stdout.write(`${JSON.stringify({ event: "prepared", ...step })}\n`);
    return;
  }
  if (values["rpc-url"] === undefined) throw new PostError("give --rpc-url to send through");
  const provider = new JsonRpcProvider(values["rpc-url"], undefined, { staticNetwork: true });
  try {
    const { chainId } = await provider.getNetwork();
    if (Number(chainId) !== step.chainId)
      throw new PostError(`the endpoint is of chain ${chainId}, the agreement of chain ${step.chainId}`);
    const sent = await wallet.connect(provider).sendTransaction({ to: step.to, data: step.data });
    process.stderr.write(`sent ${sent.hash}; ${step.description}\n`);
    const receipt = await sent.wait();
    if (receipt?.status !== 1) throw new PostError(`transaction ${sent.hash} reverted`);
    process.stdout.write(
      `${JSON.stringify({ event: "posted", transactionHash: sent.hash, blockNumber: receipt.blockNumber })}\n`,
    );
  } finally {
    provider.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
