import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { buildSubgraph, placeSubgraph, type CompiledSubgraph } from "../../../localnet/src/graph/index.ts";

const TARGET = {
  network: "base-sepolia",
  escrow: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  quorum: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
  startBlock: 1_234_567,
};

describe("localnet subgraph build", function () {
  this.timeout(120_000);
  let compiled: CompiledSubgraph;
  let folder: string;

  before(async () => {
    compiled = await buildSubgraph();
    folder = await mkdtemp(join(tmpdir(), "assay-test-"));
  });
  after(() => rm(folder, { recursive: true }));

  it("compiles the same sources once", async () => {
    expect(await buildSubgraph()).to.deep.equal({ folder: compiled.folder, rebuilt: false });
  });

  it("binds source and build to a target, and leaves no hole", async () => {
    const manifest = await placeSubgraph(compiled, TARGET, folder);
    for (const path of [manifest, join(folder, "build/subgraph.yaml")]) {
      const text = await readFile(path, "utf8");
      expect(text).to.not.match(/\$\w/);
      expect(text.match(/network: base-sepolia\n/g)).to.have.length(2);
      expect(text.match(/startBlock: 1234567\n/g)).to.have.length(2);
      expect(text.match(new RegExp(`"${TARGET.escrow}"`, "g"))).to.have.length(1);
      expect(text.match(new RegExp(`"${TARGET.quorum}"`, "g"))).to.have.length(1);
    }
  });

  for (const [name, changes] of Object.entries({
    "a network name with a space": { network: "base sepolia" },
    "an address that is too short": { escrow: "0x5FbDB2315678afecb367f032d93F642f64180aa" },
    "an address that is none": { quorum: "quorum" },
    "a start block below zero": { startBlock: -1 },
    "half a block": { startBlock: 0.5 },
  })) {
    it(`refuses ${name}`, async () => {
      const error: unknown = await placeSubgraph(compiled, { ...TARGET, ...changes }, folder).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.have.property("code", "BAD_OPTION");
    });
  }
});
