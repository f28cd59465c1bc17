import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import { expect } from "chai";
import { flippedAt } from "./support/flip.ts";

const VECTORS = fileURLToPath(new URL("../../vectors/", import.meta.url));
const PROGRAMS = fileURLToPath(new URL("../../python/", import.meta.url));

/** The parts of Pyodide that are used here; its published types leave the file system out. */
interface Python {
  readonly FS: { mkdirTree(path: string): void; writeFile(path: string, data: string | Uint8Array): void };
  runPython(code: string): unknown;
  setStdout(options: { batched(line: string): void }): void;
}

interface Ended {
  code: number;
  output: string;
}

describe("a second implementation, in Python's standard library", function () {
  this.timeout(60_000);
  let python: Python;

  before(async () => {
    // CPython on WebAssembly: the same on every machine, whether or not it has a Python.
    python = await loadPyodide();
    python.FS.mkdirTree("/vectors");
    for (const name of readdirSync(VECTORS))
      python.FS.writeFile(`/vectors/${name}`, readFileSync(VECTORS + name));
    for (const name of ["verify.py", "responsibility.py"])
      python.FS.writeFile(`/${name}`, readFileSync(PROGRAMS + name));
    python.runPython("import sys; sys.path.insert(0, '/'); import verify, responsibility");
  });

  function main(program: string, ...args: string[]): Ended {
    let output = "";
    python.setStdout({ batched: (line) => (output += `${line}\n`) });
    const code = python.runPython(`${program}.main(${JSON.stringify(args)})`) as number;
    return { code, output };
  }
  const verify = (...args: string[]): Ended => main("verify", ...args);

  it("computes every vector alike", () => {
    const { code, output } = verify("vectors", "/vectors");
    expect(output).to.match(/^(\d+) of \1 values agree\n$/);
    expect(Number(output.split(" ")[0])).to.be.greaterThan(200);
    expect(code).to.equal(0);
  });

  it("verifies the bundle among the vectors, signatures and all", () => {
    const { code, output } = verify("bundle", "/vectors/bundle.json");
    expect(output).to.equal("15 of 15 values agree\n");
    expect(code).to.equal(0);
  });

  it("computes every responsibility digest alike, and names one that differs", () => {
    expect(main("responsibility", "/vectors/responsibility.json")).to.deep.equal({
      code: 0,
      output: "18 agree, 0 differ\n",
    });
    const text = readFileSync(`${VECTORS}responsibility.json`, "utf8");
    python.FS.writeFile("/vectors/changed.json", text.replace("Translate it.", "Translate it!"));
    const { code, output } = main("responsibility", "/vectors/changed.json");
    expect(output).to.contain("ordinary: workflowDigest is ");
    expect(code).to.equal(1);
    python.FS.writeFile("/vectors/money.json", text.replace('"reward": "40000000"', '"reward": "40000001"'));
    expect(main("responsibility", "/vectors/money.json").output).to.match(
      /^joint: workflowId is .*\n17 agree, 1 differ\n$/,
    );
  });

  for (const [step, member] of [
    ["agreementHash", '"agreement":"'],
    ["submissionHash", '"submission":"'],
    ["verdictHash", '"verdictRecord":"'],
  ] as const) {
    it(`names ${step} when a byte of ${member}… is another one`, () => {
      const text = readFileSync(`${VECTORS}bundle.json`, "utf8");
      // Past the text's first brace and quote, which the outer JSON escapes.
      const at = text.indexOf(member) + member.length + 4;
      python.FS.writeFile("/vectors/changed.json", flippedAt(text, at));
      const { code, output } = verify("bundle", "/vectors/changed.json");
      expect(output).to.contain(`FAIL ${step}`);
      expect(code).to.equal(1);
    });
  }
});
