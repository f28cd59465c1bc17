import { spawn } from "node:child_process";
import { SUITES, type Suite } from "./suites.ts";
import { countTests, type Count } from "./test-count.ts";

const USAGE = `Usage: npm test [-- suite ...] [--jobs N]

Runs every suite, or those named: ${SUITES.map(({ name }) => name).join(", ")}.

  --jobs N   suites that run side by side (default 3: many tests wait more than they compute)
  --help     this text

The last line is "N passed, N failed" for the whole run; the exit code is 0 only when nothing failed.
`;

interface Options {
  names: string[];
  jobs: number;
}

function parseArguments(args: string[]): Options {
  const options: Options = { names: [], jobs: 3 };
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    if (argument === "--help") {
      process.stdout.write(USAGE);
      process.exit(0);
    } else if (argument === "--jobs") options.jobs = Number(args[++at]);
    else if (SUITES.some(({ name }) => name === argument)) options.names.push(argument);
    else refuse(`There is no suite or option "${argument}".`);
  }
  if (!Number.isInteger(options.jobs) || options.jobs < 1) refuse("--jobs takes a whole number from 1 up.");
  return options;
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(1);
}

/** Runs one suite to its end, prints what it said in one piece, and counts. */
async function runSuite(suite: Suite): Promise<Count> {
  const started = performance.now();
  const child = spawn(process.execPath, suite.command, { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const stop = (): void => void child.kill("SIGTERM");
  process.once("disconnect", stop);
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
  process.off("disconnect", stop);
  const text = Buffer.concat(output).toString();
  const count = countTests(text, code);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `\n=== ${suite.name}\n${text}\n=== ${suite.name}: ${count.passed} passed, ${count.failed} failed in ${seconds} s\n`,
  );
  return count;
}

/** Runs suites `jobs` at a time, then those that start a whole stack by two, then those that want to be alone. */
async function runSuites(suites: Suite[], jobs: number): Promise<Count> {
  const total: Count = { passed: 0, failed: 0 };
  const lane = async (queue: Suite[]): Promise<void> => {
    for (let suite = queue.shift(); suite; suite = queue.shift()) {
      const count = await runSuite(suite);
      total.passed += count.passed;
      total.failed += count.failed;
    }
  };
  const lanes = async (count: number, kind: Suite["beside"]): Promise<void> => {
    const queue = suites.filter(({ beside }) => beside === kind);
    await Promise.all(Array.from({ length: count }, () => lane(queue)));
  };
  await lanes(jobs, undefined);
  await lanes(Math.min(jobs, 2), "a stack");
  await lanes(1, "nothing");
  return total;
}

const { names, jobs } = parseArguments(process.argv.slice(2));
const chosen = SUITES.filter(({ name }) => names.length === 0 || names.includes(name));
const total = await runSuites(chosen, jobs);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);
