import { spawnSync } from "node:child_process";
import { expect } from "chai";

const COMMAND = new URL("../../scripts/genlayer-conformance/main.ts", import.meta.url).pathname;

function command(...args: string[]): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [COMMAND, ...args], { encoding: "utf8" });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("genlayer-conformance", function () {
  this.timeout(60_000);

  it("explains itself", () => {
    const { code, out } = command("--help");
    expect(code).to.equal(0);
    expect(out).to.match(/^Usage: node scripts\/genlayer-conformance/);
  });

  for (const args of [["--nonsense"], ["--host", "glsim"], ["--only", "no such case"]]) {
    it(`exits 2 on ${args.join(" ")}`, () => {
      expect(command(...args).code).to.equal(2);
    });
  }

  it("exits 3 and says that nothing was compared without an SDK", () => {
    const { code, out } = command("--only", "schema: ");
    expect(code).to.equal(3);
    expect(out).to.contain("Nothing was compared: no SDK was given");
  });

  it("prints one JSON object", () => {
    const { code, out } = command("--only", "schema: ", "--json");
    expect(code).to.equal(3);
    const report = JSON.parse(out) as { sdk: unknown; cases: { status: string }[] };
    expect(report.sdk).to.equal(null);
    expect(report.cases.map(({ status }) => status)).to.deep.equal(["not compared"]);
  });

  it("prints its cases as plain JSON", () => {
    const cases = JSON.parse(command("--only", "schema: ", "--print-cases").out) as { id: string }[];
    expect(cases.map(({ id }) => id)).to.deep.equal(["schema: the schema"]);
  });

  it("exits 4 without a usable Python", () => {
    const { code, err } = command("--only", "schema: ", "--sdk", ".", "--python", "/nonexistent/python");
    expect(code).to.equal(4);
    expect(err).to.contain("name a Python with --python");
  });
});
