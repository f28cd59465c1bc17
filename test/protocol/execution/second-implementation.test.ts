import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import { canonicalize } from "@assay/protocol";
import { expect } from "chai";
import { VECTORS_FILE, executionChainVectors } from "./support/vectors.ts";

/** The parts of Pyodide that are used here; its published types leave the file system out. */
interface Python {
  readonly FS: { writeFile(path: string, data: string | Uint8Array): void };
  runPython(code: string): unknown;
  setStdout(options: { batched(line: string): void }): void;
}

const program = (name: string): Uint8Array => readFileSync(new URL(`../../python/${name}`, import.meta.url));

describe("the chain of an execution, a second time in Python's standard library", function () {
  this.timeout(60_000);
  const vectors = executionChainVectors();
  const [mission] = vectors.missions;
  const { nonce, steps, terminal, signature, agreementId } = mission!;
  let python: Python;

  before(async () => {
    python = await loadPyodide();
    for (const name of ["verify.py", "execution.py"]) python.FS.writeFile(`/${name}`, program(name));
    python.FS.writeFile("/vectors.json", readFileSync(VECTORS_FILE));
    python.runPython("import sys; sys.path.insert(0, '/'); import execution");
  });

  function execution(...args: string[]): { code: number; output: string } {
    let output = "";
    python.setStdout({ batched: (line) => (output += `${line}\n`) });
    const code = python.runPython(`execution.main(${JSON.stringify(args)})`) as number;
    return { code, output };
  }

  it("computes every vector alike", () => {
    expect(execution("vectors", "/vectors.json")).to.deep.equal({ code: 0, output: "everything holds\n" });
  });

  it("notices a vector that is wrong", () => {
    const wrong = structuredClone(vectors) as { worked: { chain: string } };
    wrong.worked.chain = vectors.worked.attestation;
    python.FS.writeFile("/wrong.json", JSON.stringify(wrong));
    const { code, output } = execution("vectors", "/wrong.json");
    expect(code).to.equal(1);
    expect(output).to.match(/^FAIL chain: 0x/);
  });

  function prove(changes: Record<string, unknown> = {}): { code: number; output: string } {
    const { chainId, verifyingContract } = vectors.domain;
    const attestations = mission!.records.map(({ index, requestHash, responseHash }) => ({
      index,
      requestHash,
      responseHash,
    }));
    python.FS.writeFile(
      "/agreement.json",
      canonicalize({ execution: { nonce, recorder: vectors.recorder.address, steps } }),
    );
    python.FS.writeFile(
      "/submission.json",
      canonicalize({ agreementId, execution: { attestations, terminal, signature, ...changes } }),
    );
    return execution("proof", "/agreement.json", "/submission.json", `${chainId}`, verifyingContract);
  }

  it("verifies the proof in a submission, the recorder's signature too", () => {
    expect(prove()).to.deep.equal({ code: 0, output: "everything holds\n" });
    expect(prove({ signature: vectors.missions[1]!.signature }).output).to.match(
      /^FAIL 0x[0-9a-f]{40} signed, not the recorder\n$/,
    );
    expect(prove({ terminal: vectors.missions[1]!.terminal }).output).to.match(/^FAIL the chain ends in 0x/);
    expect(prove({ attestations: [] })).to.deep.include({ code: 1 });
  });
});
