import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { LocalnetError } from "@assay/localnet";
import type { Hex } from "@assay/protocol";
import { servePage } from "@assay/web";
import type { ExampleName } from "../examples/index.ts";
import { describeAudit, describeStack, describeWalk, walkToJson } from "./local/print.ts";
import { PROFILE_PATH, profileOf, writeProfile } from "./local/profile.ts";
import { DEFAULT_SET, startStack, type Ports, type SetSize, type Stack } from "./local/stack.ts";
import { walk, type Walk } from "./local/walk.ts";

const USAGE = `Usage: npm start [-- options]

Brings up the whole system on this machine and takes two agreements through it: a password reset that accepts
expired tokens, which has to fail and refund the buyer, and one that refuses them, which has to pass and pay the
seller. Three independent operators carry the verdicts, of which two have to sign. Then it stays up until Ctrl-C.

  --once                 stop after the two agreements; the exit code is 0 only when both outcomes are right
  --json                 one JSON object a line on standard output, nothing else there
  --operators N          operators, each a process with keys and a database of its own (default 3, at most 7)
  --threshold N          how many of them have to sign a verdict (default 2, or 1 with one operator)
  --evm-port N           ports on loopback; free ones when left out
  --genlayer-port N
  --operator-port N      of the first operator; the others take the ports after it
  --graph-port N         (graph-node listens on all interfaces)
  --page-port N          of the page
  --help                 this text

The GenLayer network is a simulation, and its judge, "rules", is no language model.
`;

/** What the two examples have to come to. */
const SHOW: { example: ExampleName; outcome: string; says: string }[] = [
  {
    example: "password-reset/lenient",
    outcome: "FAIL",
    says: "a password reset that accepts expired tokens",
  },
  { example: "password-reset/strict", outcome: "PASS", says: "a password reset that refuses expired tokens" },
];

/** How long the end of a part may trail behind the request that failed because of it. */
const CAUSE_MILLISECONDS = 2_000;

interface Options {
  once: boolean;
  json: boolean;
  set: SetSize;
  ports: Ports;
  pagePort: number | undefined;
}

/** More processes than this help nobody on one machine. */
const MOST_OPERATORS = 7;

/** The sentence that ends the program, with what to do about it. */
class Refusal extends Error {}

function parseOptions(args: string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const number = { type: "string" } as const;
  const parse = () =>
    parseArgs({
      args,
      options: {
        once: flag,
        json: flag,
        help: flag,
        operators: number,
        threshold: number,
        "evm-port": number,
        "genlayer-port": number,
        "operator-port": number,
        "graph-port": number,
        "page-port": number,
      },
    }).values;
  let values: ReturnType<typeof parse>;
  try {
    values = parse();
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  return {
    once: values.once,
    json: values.json,
    set: setOption(values.operators, values.threshold),
    ports: {
      ...portOption("evm", values["evm-port"]),
      ...portOption("genlayer", values["genlayer-port"]),
      ...portOption("operator", values["operator-port"]),
      ...portOption("graph", values["graph-port"]),
    },
    pagePort:
      values["page-port"] === undefined
        ? undefined
        : numberOption("page-port", values["page-port"], "a port number", 65_535),
  };
}

function portOption(name: keyof Ports, text: string | undefined): Ports {
  return text === undefined ? {} : { [name]: numberOption(`${name}-port`, text, "a port number", 65_535) };
}

function setOption(operatorsText: string | undefined, thresholdText: string | undefined): SetSize {
  const operators =
    operatorsText === undefined
      ? DEFAULT_SET.operators
      : numberOption("operators", operatorsText, "a number of operators", MOST_OPERATORS);
  const threshold =
    thresholdText === undefined
      ? Math.min(DEFAULT_SET.threshold, operators)
      : numberOption("threshold", thresholdText, "a number of signatures", operators);
  return { operators, threshold };
}

function numberOption(name: string, text: string, what: string, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > most)
    throw new Refusal(`--${name} takes ${what} from 1 to ${most}, not "${text}".`);
  return number;
}

interface Shown {
  /** Whether every example came out as it has to. */
  right: boolean;
  /** The agreement that was settled last. */
  last: Hex;
}

/** Takes the examples through the stack one after the other. */
async function show(stack: Stack, json: boolean, say: (line: string) => void): Promise<Shown> {
  let right = true;
  let last: Hex = "0x";
  for (const { example, outcome, says } of SHOW) {
    const started = performance.now();
    const seconds = (): string => ((performance.now() - started) / 1000).toFixed(1).padStart(5);
    say(`\n${example}: ${says}; it has to end in ${outcome}`);
    const result = await walk(stack, example, (stage) => say(`  ${seconds()} s  ${stage}`));
    right &&= isRight(result, outcome);
    last = result.agreementId;
    if (json) process.stdout.write(`${walkToJson(result)}\n`);
    else process.stdout.write(`${describeWalk(result, stack)}\n`);
  }
  return { right, last };
}

/** Whether outcome, money, hash and index all say the same, and the right thing. */
function isRight(
  { outcome, before, after, verdictHashRecomputed, verdictHash, indexed }: Walk,
  expected: string,
): boolean {
  const gain = after.seller - before.seller;
  const cost = before.buyer - after.buyer;
  return (
    outcome === expected &&
    verdictHashRecomputed &&
    after.escrow === before.escrow &&
    gain === cost &&
    (expected === "PASS" ? gain > 0n : gain === 0n) &&
    indexed.outcome === expected &&
    indexed.verdictHash === verdictHash
  );
}

/** Resolves on the first request to end: a signal, or the bootstrap being gone. */
function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    process.once("disconnect", () => resolve());
    process.channel?.unref();
  });
}

async function main(): Promise<number> {
  const { once, json, set, ports, pagePort } = parseOptions(process.argv.slice(2));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const started = performance.now();
  const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const end = untilAskedToEnd();

  const starting = startStack({
    ports,
    set,
    onProgress: (part) => say(`${elapsed().padStart(8)}  ${part} is up`),
  });
  const early = await Promise.race([starting, end]);
  if (!early) {
    say("Stopping before everything is up");
    await (await starting.catch(() => undefined))?.stop();
    return 1;
  }
  const stack = early;
  // A run that ends by itself leaves nobody time to use it.
  const removeProfile = once ? undefined : await writeProfile(stack);
  const page = once
    ? undefined
    : await servePage({
        networks: [profileOf(stack)],
        ...(pagePort === undefined ? {} : { port: pagePort }),
      });
  if (page !== undefined) say(`\nThe page: ${page.url}`);
  try {
    const failed = stack.failed.then((error) => Promise.reject(error));
    const shown = await Promise.race([show(stack, json, say), failed, end]);
    if (!shown) return 1;
    const { right, last } = shown;
    say(
      `\nBoth agreements are settled and indexed after ${elapsed()}; their outcomes are ${right ? "right" : "WRONG"}.`,
    );
    if (once || !right) return right ? 0 : 1;
    say(`\n${describeStack(stack)}\n${describeAudit(stack, last)}`);
    if (page !== undefined) say(`Or on the page\n  ${page.url}/agreement/${last}`);
    say(
      `\nEverything stays up until Ctrl-C. \`assay --network localnet\` finds it by ${PROFILE_PATH} (docs/cli.md).`,
    );
    await Promise.race([end, failed]);
    return 0;
  } catch (error) {
    // A part that died shows first as a failed request to it; its own end is the better sentence.
    throw (await Promise.race([stack.failed, sleep(CAUSE_MILLISECONDS)])) ?? error;
  } finally {
    say("Stopping");
    await page?.stop();
    await removeProfile?.();
    await stack.stop();
  }
}

try {
  process.exit(await main());
} catch (error) {
  const known = error instanceof LocalnetError || error instanceof Refusal;
  process.stderr.write(
    `assay: ${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  if (error instanceof LocalnetError) process.stderr.write(`${error.hint}\n`);
  process.exit(1);
}
