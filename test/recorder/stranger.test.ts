import { readFileSync } from "node:fs";
import { expect } from "chai";
import { loadPyodide } from "pyodide";
import { Walker } from "./support/walker.ts";
import { TOUR, type World, startWorld } from "./support/world.ts";

/** The parts of Pyodide that are used here; its published types leave the file system out. */
interface Python {
  readonly FS: { writeFile(path: string, data: string | Uint8Array): void };
  runPython(code: string): unknown;
  setStdout(options: { batched(line: string): void }): void;
}

describe("recorder: for a stranger with Python alone", function () {
  this.timeout(60_000);
  let world: World;
  let python: Python;
  before(async () => {
    world = await startWorld();
    python = await loadPyodide();
    for (const name of ["verify.py", "execution.py"]) {
      python.FS.writeFile(`/${name}`, readFileSync(new URL(`../python/${name}`, import.meta.url)));
    }
    python.runPython("import sys; sys.path.insert(0, '/'); import execution");
  });
  after(() => world.close());

  function verify(proof: unknown): { code: unknown; output: string } {
    let output = "";
    python.FS.writeFile("/proof.json", JSON.stringify(proof));
    python.setStdout({ batched: (line) => (output += `${line}\n`) });
    return { code: python.runPython("execution.main(['mission', '/proof.json'])"), output };
  }

  it("proves what it answers about a mission, and no more", async () => {
    const walker = await Walker.onboard(world.recorder.url);
    const { mission_id: id } = await walker.start();
    for (const call of TOUR) await walker.call(id, call);
    const proof = await walker.mission(id);
    expect(verify(proof)).to.deep.equal({ code: 0, output: "everything holds\n" });
    const [first, ...others] = proof.attestations;
    const changed = { ...first, response_hash: others[0]!.response_hash };
    const { code, output } = verify({ ...proof, attestations: [changed, ...others] });
    expect(code).to.equal(1);
    expect(output).to.match(/^FAIL the chain ends in 0x/);
  });
});
