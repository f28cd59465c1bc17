import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";

const USAGE = `Usage: npm run lint [-- --fix]

Checks TypeScript (ESLint, Prettier), Solidity (solhint, Prettier) and Python (ruff).

  --fix    let ESLint and Prettier write what they can repair
  --help   this text
`;

const PYTHON = [
  "contracts-genlayer/**/*.py",
  "localnet/src/**/*.py",
  "test/python/**/*.py",
  "scripts/{genlayer-conformance,mutation}/**/*.py",
];

/** ruff runs as WebAssembly, so linting Python needs no Python. Returns one line for each finding. */
function lintPython(): string[] {
  const workspace = new Workspace(
    {
      "line-length": 110,
      "target-version": "py312",
      // GenLayer contracts import the SDK's names with a star, as its documentation prescribes.
      lint: { select: ["E", "F", "W", "I", "B", "UP", "SIM", "RUF"], ignore: ["F403", "F405"] },
    },
    PositionEncoding.Utf16,
  );
  return PYTHON.flatMap((pattern) => globSync(pattern)).flatMap((path) =>
    (workspace.check(readFileSync(path, "utf8")) as Finding[]).map(
      ({ code, message, start_location: { row, column } }) =>
        `${path}:${row}:${column} ${code ?? "syntax"} ${message}`,
    ),
  );
}

interface Finding {
  code: string | null;
  message: string;
  start_location: { row: number; column: number };
}

function run(module: string, ...args: string[]): boolean {
  process.stderr.write(`${module.split("/")[1] ?? module} ${args.join(" ")}\n`);
  return spawnSync(process.execPath, [module, ...args], { stdio: "inherit" }).status === 0;
}

const args = process.argv.slice(2);
if (args.includes("--help") || args.some((argument) => argument !== "--fix")) {
  process.stdout.write(USAGE);
  process.exit(args.includes("--help") ? 0 : 1);
}
const fix = args.includes("--fix");
const python = lintPython();
for (const line of python) process.stderr.write(`${line}\n`);
const results = [
  run("node_modules/eslint/bin/eslint.js", ".", ...(fix ? ["--fix"] : [])),
  run("node_modules/prettier/bin/prettier.cjs", fix ? "--write" : "--check", "--log-level", "warn", "."),
  run(
    "node_modules/solhint/solhint.js",
    "--disc",
    "--noPoster",
    "--max-warnings",
    "0",
    "contracts-evm/**/*.sol",
  ),
  python.length === 0,
];
process.exit(results.every(Boolean) ? 0 : 1);
