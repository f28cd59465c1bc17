import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { writeProfile } from "../../scripts/local/profile.ts";
import { balanceOf } from "../../scripts/local/parties.ts";
import { startStack, type Stack } from "../../scripts/local/stack.ts";
import type { Address } from "@assay/protocol";

const ROOT = join(import.meta.dirname, "../..");
const REWARD = 25_000_000n;

/** The commands of the page's first block, as a newcomer would paste them. */
async function quickstart(): Promise<string[]> {
  const page = await readFile(join(ROOT, "docs/cli.md"), "utf8");
  const [, block = ""] = /^```sh\n([\s\S]*?)^```/m.exec(page) ?? [];
  return block.trimEnd().split("\n");
}

describe("a newcomer with the command line alone", function () {
  this.timeout(180_000);
  let stack: Stack;
  let folder: string;

  before(async () => {
    stack = await startStack({ finalityWindowSeconds: 1 });
    folder = await mkdtemp(join(tmpdir(), "assay-newcomer-"));
    await writeProfile(stack, join(folder, ".assay/localnet.json"));
    for (const name of ["cli", "examples"]) await symlink(join(ROOT, name), join(folder, name));
  });
  after(async () => {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("settles one agreement by the commands of docs/cli.md, in fewer than ten with npm start", async () => {
    const commands = await quickstart();
    expect(commands.length + 1).to.be.lessThan(10);
    const seller = stack.cast.seller.address as Address;
    const before = await balanceOf(stack.venue, seller);
    const { stdout } = await promisify(execFile)("bash", ["-e", "-c", commands.join("\n")], {
      cwd: folder,
      env: {
        PATH: `${join(process.execPath, "..")}:${process.env["PATH"] ?? ""}`,
        ASSAY_HOME: join(folder, "home"),
      },
      maxBuffer: 1 << 26,
    });
    expect(stdout).to.match(/^Funded agreement 0x[0-9a-f]{64} with 25 USDC$/m);
    expect(stdout).to.match(/ {2}Released {2}0x[0-9a-f]{64}$/m);
    expect(stdout).to.match(/^\d+ passed, 0 failed, 0 not checked$/m);
    expect(await balanceOf(stack.venue, seller)).to.equal(before + REWARD);
  });
});
