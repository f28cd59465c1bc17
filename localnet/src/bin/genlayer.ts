#!/usr/bin/env node
import { parseArgs } from "node:util";

import { LocalnetError } from "../errors.ts";
import { type GenLayerNetworkParameters, startGenLayerNetwork } from "../genlayer/index.ts";
import type { ModelSpec } from "../genlayer/models/model.ts";

const USAGE = `Runs a simulated GenLayer network until it is interrupted.

  node localnet/src/bin/genlayer.ts [options]

  --kind studio|testnet      the family of networks to imitate (default studio)
  --host ADDRESS             default 127.0.0.1
  --port NUMBER              default 4000; 0 picks a free one
  --validators NUMBER        nodes that vote on a transaction (default 5)
  --finality-window SECONDS  default 2
  --model MODEL              rules, or openai:NAME@BASE_URL; several are dealt out to the validators in turn
  --data-dir FOLDER          keep the network's state there (default: forget it at the end)
  --help

An API key for openai models is read from OPENAI_API_KEY.`;

/** Your mistake; anything else that goes wrong ends with 70. */
const EXIT_USAGE = 1;
const EXIT_FAILURE = 70;

const DEFAULT_PORT = 4000;

function parse(): GenLayerNetworkParameters | "help" {
  const { values } = parseArgs({
    options: {
      kind: { type: "string", default: "studio" },
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: String(DEFAULT_PORT) },
      validators: { type: "string", default: "5" },
      "finality-window": { type: "string", default: "2" },
      model: { type: "string", multiple: true, default: ["rules"] },
      "data-dir": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  if (values.kind !== "studio" && values.kind !== "testnet") {
    throw new LocalnetError("BAD_OPTION", `--kind is ${values.kind}.`, "Give studio or testnet.");
  }
  return {
    kind: values.kind,
    host: values.host,
    port: Number(values.port),
    validators: Number(values.validators),
    finalityWindowSeconds: Number(values["finality-window"]),
    models: values.model.map(parseModel),
    ...(values["data-dir"] === undefined ? {} : { dataDir: values["data-dir"] }),
  };
}

function parseModel(text: string): ModelSpec {
  if (text === "rules") return { provider: "rules" };
  const match = /^openai:(.+)@(https?:\/\/.+)$/.exec(text);
  const [, model, baseUrl] = match ?? [];
  if (model === undefined || baseUrl === undefined) {
    throw new LocalnetError("BAD_OPTION", `--model is ${text}.`, "Give rules, or openai:NAME@BASE_URL.");
  }
  const apiKey = process.env["OPENAI_API_KEY"];
  return { provider: "openai", model, baseUrl, ...(apiKey === undefined ? {} : { apiKey }) };
}

function explain(error: unknown): void {
  if (error instanceof LocalnetError) console.error(`${error.message} ${error.hint}`);
  else console.error(error instanceof Error ? error.message : error);
}

try {
  const parameters = parse();
  if (parameters === "help") {
    console.log(USAGE);
  } else {
    const network = await startGenLayerNetwork(parameters);
    console.log(
      `Simulated GenLayer network (${network.kind} kind, chain ${network.chainId}) at ${network.rpcUrl}`,
    );
    console.log(`Models: ${[...new Set(network.validators.map(({ model }) => model))].join(", ")}`);
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      void network.stop();
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  }
} catch (error) {
  explain(error);
  const isUsage = error instanceof LocalnetError || (error instanceof TypeError && "code" in error);
  process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILURE;
}
