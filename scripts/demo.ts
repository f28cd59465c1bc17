import { parseArgs } from "node:util";
import { LocalnetError } from "@assay/localnet";
import type { Act, Say } from "./demo/act.ts";
import { hiringAct } from "./demo/hiring.ts";
import { jointAct } from "./demo/joint-act.ts";
import { missionAct } from "./demo/mission.ts";
import { startStack } from "./local/stack.ts";

/** What is shown without an option, and what by an option of that name. */
const ACTS = { mission: missionAct, joint: jointAct } as const satisfies Readonly<Record<string, Act>>;

const indented = (text: string): string => text.replaceAll(/^/gm, "  ");

const USAGE = `Usage: npm run demo [-- options]

${hiringAct.story}

${Object.entries(ACTS)
  .map(([name, { story }]) => `--${name} shows something else:\n${indented(story)}`)
  .join("\n\n")}

  --json    one JSON object on standard output: everything that was shown
  --help    this text

The exit code is 0 only when it came out as it had to. The GenLayer network is a simulation, and its judge, "rules", is
no language model.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...(Object.fromEntries(
        Object.keys(ACTS).map((name) => [name, { type: "boolean", default: false }]),
      ) as Record<keyof typeof ACTS, { type: "boolean"; default: false }>),
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const chosen = (Object.keys(ACTS) as (keyof typeof ACTS)[]).filter((name) => values[name]);
  if (chosen.length > 1)
    throw new Error(`--${chosen.join(" and --")} are two demonstrations; show one at a time`);
  const act = chosen[0] === undefined ? hiringAct : ACTS[chosen[0]];
  const say: Say = (line) => void process.stderr.write(`${line}\n`);
  const stack = await startStack({ guests: act.guests, onProgress: (part) => say(`${part} is up`) });
  const end = new Promise<undefined>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => resolve(undefined));
    process.once("disconnect", () => resolve(undefined));
    process.channel?.unref();
  });
  try {
    const failed = stack.failed.then((error) => Promise.reject(error));
    const played = await Promise.race([act.play(stack, say), failed, end]);
    if (!played) return 1;
    if (values.json)
      process.stdout.write(
        `${JSON.stringify(played.shown, (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value))}\n`,
      );
    return played.isGood ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

try {
  process.exit(await main());
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`assay: ${text}\n${error instanceof LocalnetError ? `${error.hint}\n` : ""}`);
  process.exit(1);
}
