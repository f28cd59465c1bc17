import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "chai";

const BOOTSTRAP = join(import.meta.dirname, "../../scripts/bootstrap.js");
const OLD_NODE = join(import.meta.dirname, "support/old-node.js");

describe("bootstrap", () => {
  let bin: string;
  beforeEach(() => (bin = mkdtempSync(join(tmpdir(), "assay-bootstrap-"))));
  afterEach(() => rmSync(bin, { recursive: true, force: true }));

  /** Puts a program of that name first on PATH. */
  function fake(name: string, script: string): void {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }

  function bootstrap(args: string[], nodeOptions: string[] = []) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, BOOTSTRAP, ...args], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` },
    });
    return { status, stdout, stderr };
  }

  it("prints its commands and succeeds when asked for help", () => {
    const { status, stdout } = bootstrap(["help"]);
    expect(status).to.equal(0);
    expect(stdout).to.include("npm run start");
  });

  it("prints its commands and fails when the command is unknown", () => {
    const { status, stdout } = bootstrap(["constructor"]);
    expect(status).to.equal(1);
    expect(stdout).to.include("npm run test");
  });

  it("under an old Node, says so and stops in one sentence when npx can't give Node 24", () => {
    fake("npx", "exit 1");
    const { status, stderr } = bootstrap(["build"], ["--import", OLD_NODE]);
    expect(status).to.equal(1);
    expect(stderr).to.equal(
      "assay: Node 20.19.0 is too old; getting Node 24 from npm\n" +
        "assay: Node 24 could not be had through npx (it gave nothing). " +
        "Install Node 24 yourself, or allow npm to run install scripts, and try again.\n",
    );
  });

  it("under an old Node, is not fooled when npx hands back an old Node", () => {
    fake("npx", `echo ${join(bin, "node")}`);
    fake("node", "echo 20.19.0");
    const { status, stderr } = bootstrap(["build"], ["--import", OLD_NODE]);
    expect(status).to.equal(1);
    expect(stderr).to.include("it gave Node 20.19.0");
  });

  it("under an old Node, goes on with the Node 24 that npx gives, and never installs with the old one", () => {
    fake("npx", `echo ${process.execPath}`);
    const { status, stderr } = bootstrap(["build"], ["--import", OLD_NODE]);
    expect(status, stderr).to.equal(0);
  });
});
