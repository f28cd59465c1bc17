/**
 * Mutation testing of the contracts: makes one small change at a time and sees whether the tests notice.
 *
 *     npm run test:mutation                     every mutant of contracts-evm
 *     npm run test:mutation -- --sample 40      that many, spread evenly
 *     npm run test:mutation -- --file Terms     only files whose path contains this
 *     npm run test:mutation -- --list           print the mutants and run nothing
 *
 * Works on a copy in a temporary folder, compiled without the IR pipeline for speed; the gas snapshot is left out.
 * A mutant that doesn't compile is not counted. Prints survivors and the score; exits 1 below 95 %.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { applyMutant, mutantsOf, type Mutant } from "./mutate.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TARGET_PERCENT = 95;
/** Long enough for the whole suite on a busy machine; a mutant that hangs is noticed. */
const TIMEOUT_MILLISECONDS = 300_000;

const { values } = parseArgs({
  options: { sample: { type: "string" }, file: { type: "string" }, list: { type: "boolean" } },
});

const files = globSync("contracts-evm/**/*.sol", { cwd: ROOT }).filter(
  (file) => !file.includes("/interfaces/") && !file.includes("/types/") && file.includes(values.file ?? ""),
);
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), "utf8")));
const step = values.sample === undefined ? 1 : Math.max(1, all.length / Number(values.sample));
const mutants = all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));

const describe = ({ file, line, operator, before, after }: Mutant): string =>
  `${file}:${line} ${operator}\n    - ${before.trim()}\n    + ${after.trim()}`;

if (values.list) {
  for (const mutant of mutants) console.log(describe(mutant));
  console.log(`${mutants.length} of ${all.length} mutants`);
  process.exit(0);
}

/** A copy of what the contract tests need, whose sources may be changed. */
function makeWorkshop(): string {
  const workshop = mkdtempSync(join(tmpdir(), "assay-mutation-"));
  for (const path of [
    "contracts-evm",
    "test/evm",
    "localnet/src/evm",
    "localnet/src/process",
    "package.json",
  ]) {
    cpSync(join(ROOT, path), join(workshop, path), { recursive: true });
  }
  for (const path of globSync("localnet/src/*.ts", { cwd: ROOT }))
    cpSync(join(ROOT, path), join(workshop, path));
  symlinkSync(join(ROOT, "node_modules"), join(workshop, "node_modules"));
  const config = readFileSync(join(ROOT, "hardhat.config.ts"), "utf8");
  writeFileSync(join(workshop, "hardhat.config.ts"), config.replace("viaIR: true", "viaIR: false"));
  rmSync(join(workshop, "test/evm/gas.test.ts"));
  return workshop;
}

type Outcome = "killed" | "survived" | "invalid";

function hardhat(workshop: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, "node_modules/hardhat/dist/src/cli.js"), "--no-typechain", ...args],
    { cwd: workshop, encoding: "utf8", timeout: TIMEOUT_MILLISECONDS, env: { ...process.env, CI: "1" } },
  );
  return { status, output: `${stdout}${stderr}` };
}

function test(workshop: string): { outcome: Outcome; output: string } {
  const build = hardhat(workshop, "build");
  if (build.status !== 0) return { outcome: "invalid", output: build.output };
  const { status, output } = hardhat(workshop, "test", "mocha", "--bail", "--no-compile");
  return { outcome: status === 0 ? "survived" : "killed", output };
}

const workshop = makeWorkshop();
const survivors: Mutant[] = [];
const counts: Record<Outcome, number> = { killed: 0, survived: 0, invalid: 0 };
try {
  const unchanged = test(workshop);
  if (unchanged.outcome !== "survived") {
    throw new Error(`the tests fail without any mutant:\n${unchanged.output}`);
  }
  for (const [index, mutant] of mutants.entries()) {
    const path = join(workshop, mutant.file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, applyMutant(source, mutant));
    const { outcome } = test(workshop);
    writeFileSync(path, source);
    counts[outcome]++;
    if (outcome === "survived") survivors.push(mutant);
    console.error(
      `${index + 1}/${mutants.length} ${outcome} ${mutant.file}:${mutant.line} ${mutant.operator}`,
    );
  }
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

const tested = counts.killed + counts.survived;
const score = tested === 0 ? 100 : (100 * counts.killed) / tested;
for (const survivor of survivors) console.log(describe(survivor));
console.log(
  `${counts.killed} of ${tested} mutants killed (${score.toFixed(1)} %), ${counts.invalid} did not compile`,
);
process.exitCode = score < TARGET_PERCENT ? 1 : 0;
