import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

const USAGE = `Usage: npm run test:mutation [-- evm | genlayer] [options]

Changes the contracts in one place at a time and sees whether the tests notice: the Solidity contracts (evm, the
default) or the Intelligent Contracts (genlayer).

  --resume         keeps the outcomes of the journal that still hold, and goes on
  --sample N       that many mutants, spread evenly over all of them
  --seed S         with --sample: draws them by this seed
  --file TEXT      only files whose path contains this
  --named          only the mutants that have a name (genlayer)
  --list           prints the mutants and runs nothing
  --json           the result as one object on standard output
  --jobs N         how many side by side (default: as many as there are cores)
  --journal FILE   where outcomes are kept (.assay/mutation.jsonl, .assay/mutation-genlayer.jsonl)
  --help           this text

Exits 1 when fewer than 95 of a hundred mutants are killed, or a named one survives.
`;

/** What a run shall do. */
export interface Options {
  target: "evm" | "genlayer";
  sample: number | undefined;
  seed: number | undefined;
  file: string;
  journal: string | undefined;
  jobs: number;
  named: boolean;
  list: boolean;
  resume: boolean;
  json: boolean;
}

function refuse(message: string): never {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        sample: { type: "string" },
        seed: { type: "string" },
        file: { type: "string", default: "" },
        jobs: { type: "string" },
        journal: { type: "string" },
        named: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        resume: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Reads the command line; ends the process with a sentence when something in it is wrong. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parsed(args);
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const count = (option: "sample" | "seed" | "jobs"): number | undefined => {
    const text = values[option];
    if (text === undefined) return undefined;
    const pattern = option === "seed" ? /^\d{1,9}$/ : /^[1-9]\d{0,8}$/;
    return pattern.test(text)
      ? Number(text)
      : refuse(`--${option} takes a ${option === "seed" ? "" : "positive "}whole number, not "${text}"`);
  };
  const [target = "evm", ...more] = positionals;
  if (target !== "evm" && target !== "genlayer") return refuse(`there is no "${target}" to mutate`);
  if (more.length > 0) return refuse(`one kind of contracts at a time, not also "${more.join(" ")}"`);
  const { file, journal, named, list, resume, json } = values;
  const sample = count("sample");
  const seed = count("seed");
  if (seed !== undefined && sample === undefined) return refuse("--seed draws a sample; say --sample N");
  return {
    target,
    sample,
    seed,
    file,
    journal,
    jobs: count("jobs") ?? availableParallelism(),
    named,
    list,
    resume,
    json,
  };
}
