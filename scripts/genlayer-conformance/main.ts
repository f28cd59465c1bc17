import { parseArgs } from "node:util";
import type { Case } from "./case.ts";
import { allCases } from "./cases.ts";
import { type CaseReport, compare } from "./compare.ts";
import {
  createEnvironment,
  type HostName,
  type OfficialAnswer,
  OfficialSideError,
  runOfficialSide,
  TESTING_SUITE,
} from "./official.ts";
import { startOurSide } from "./ours.ts";
import { failures, render, summarise } from "./report.ts";

const USAGE = `Usage: node scripts/genlayer-conformance [--sdk PATH] [options]

Runs the same contracts on our executor and on the official GenLayer Python SDK, and
compares what they return, which errors they end with, and how validators vote.

  --sdk PATH        the SDK: a directory that holds \`genlayer/\`, a checkout of GenVM, or a
                    release tarball (genvm-universal.tar.xz). Without it only our side runs
  --host NAME       entry (default): the SDK's own entry point, each machine a process,
                    behind a minimal host of ours; direct: gltest's direct mode
  --python PATH     Python 3.12.8 or newer with cloudpickle, and for direct mode with
                    ${TESTING_SUITE} (default: python3)
  --venv DIRECTORY  make a virtual environment there with both, if it is not there yet,
                    and use it (pip downloads them)
  --only TEXT       only cases whose name contains TEXT
  --json            one JSON object in place of the table
  --print-cases     print the cases as JSON and run nothing
  --help            this text

Exit codes: 0 both sides are alike, apart from differences that the cases tell;
1 they differ, or a side does not give what a case expects; 2 wrong usage;
3 our side is as expected, but nothing was compared; 4 the SDK's side cannot be run.
`;

const OPTIONS = {
  sdk: { type: "string" },
  host: { type: "string", default: "entry" },
  python: { type: "string", default: "python3" },
  venv: { type: "string" },
  only: { type: "string", default: "" },
  json: { type: "boolean", default: false },
  "print-cases": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let options: Options;
  try {
    options = parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    return usageError(error instanceof Error ? error.message : String(error));
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (options.host !== "entry" && options.host !== "direct") {
    return usageError(`--host is entry or direct, not ${options.host}`);
  }
  const cases = allCases().filter(({ id }) => id.includes(options.only));
  if (cases.length === 0) return usageError(`no case's name contains ${JSON.stringify(options.only)}`);
  if (options["print-cases"]) {
    process.stdout.write(`${JSON.stringify(cases, undefined, 2)}\n`);
    return 0;
  }
  return await check(cases, options, options.host);
}

async function check(cases: readonly Case[], options: Options, host: HostName): Promise<number> {
  const answers = new Map<string, OfficialAnswer>();
  let environment: string | undefined;
  if (options.sdk !== undefined) {
    try {
      const python =
        options.venv === undefined ? options.python : createEnvironment(options.venv, options.python);
      environment = await runOfficialSide(cases, { sdk: options.sdk, host, python }, (id, answer) => {
        answers.set(id, answer);
        progress(`SDK ${answers.size}/${cases.length}`);
      });
    } catch (error) {
      if (!(error instanceof OfficialSideError)) throw error;
      process.stderr.write(`genlayer-conformance: ${error.message}\n`);
      return 4;
    }
  }
  const reports: CaseReport[] = [];
  const ours = await startOurSide();
  try {
    for (const item of cases) {
      reports.push(compare(item, await ours.observe(item), answers.get(item.id)));
      progress(`ours ${reports.length}/${cases.length}`);
    }
  } finally {
    await ours.stop();
  }
  progress("");
  const summary = summarise(reports);
  if (options.json) {
    const run = options.sdk === undefined ? { sdk: null } : { sdk: options.sdk, host, environment };
    process.stdout.write(`${JSON.stringify({ ...run, summary, cases: reports })}\n`);
  } else {
    process.stdout.write(
      render(reports, summary, environment === undefined ? undefined : { host, environment }),
    );
  }
  if (failures(reports).length > 0) return 1;
  return options.sdk === undefined ? 3 : 0;
}

function usageError(message: string): number {
  process.stderr.write(`genlayer-conformance: ${message}\n\n${USAGE}`);
  return 2;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
