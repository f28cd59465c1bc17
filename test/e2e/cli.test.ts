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

  /** Runs lines as one shell would, with nothing of this process's own settings. */
  function bash(lines: readonly string[]): Promise<{ stdout: string }> {
    return promisify(execFile)("bash", ["-e", "-c", lines.join("\n")], {
      cwd: folder,
      env: {
        PATH: `${join(process.execPath, "..")}:${process.env["PATH"] ?? ""}`,
        ASSAY_HOME: join(folder, "home"),
      },
      maxBuffer: 1 << 26,
    });
  }

  it("settles one agreement by the commands of docs/cli.md, in fewer than ten with npm start", async () => {
    const commands = await quickstart();
    expect(commands.length + 1).to.be.lessThan(10);
    const seller = stack.cast.seller.address as Address;
    const before = await balanceOf(stack.venue, seller);
    const { stdout } = await bash(commands);
    expect(stdout).to.match(/^Funded agreement 0x[0-9a-f]{64} with 25 USDC$/m);
    expect(stdout).to.match(/ {2}Released {2}0x[0-9a-f]{64}$/m);
    expect(stdout).to.match(/^\d+ passed, 0 failed, 0 not checked$/m);
    expect(await balanceOf(stack.venue, seller)).to.equal(before + REWARD);
  });

  it("then reads the seller's reputation from the index, and the same figures from the chain", async () => {
    const [setUp = ""] = await quickstart();
    const { stdout } = await bash([
      setUp,
      'seller="$(assay wallet address seller)"',
      'assay reputation "$seller" --from index --json',
      'assay reputation "$seller" --from chain --json',
      "assay doctor --wallet buyer",
    ]);
    const [index, chain] = stdout
      .split("\n")
      .slice(0, 2)
      .map((line) => JSON.parse(line) as { source: string; reputation: { asSeller: { counts: object } } });
    expect([index?.source, chain?.source]).to.deep.equal(["index", "chain"]);
    expect(index?.reputation.asSeller.counts).to.include({ funded: 1, passed: 1 });
    expect(chain?.reputation.asSeller.counts).to.deep.equal(index?.reputation.asSeller.counts);
    expect(stdout).not.to.match(/^FAIL/m);
  });
});
