import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { writeProfile } from "../../scripts/local/profile.ts";
import { balanceOf } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import type { Address } from "@assay/protocol";
import { openStack } from "./support/world.ts";

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
  /** The seller's figures before the agreement of these tests. */
  let earlier: Readonly<Record<string, number>>;

  before(async () => {
    stack = await openStack();
    folder = await mkdtemp(join(tmpdir(), "assay-newcomer-"));
    await writeProfile(stack, join(folder, ".assay/localnet.json"));
    for (const name of ["cli", "examples"]) await symlink(join(ROOT, name), join(folder, name));
  });
  after(() => rm(folder, { recursive: true, force: true }));

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

  interface Answered {
    readonly source: string;
    readonly reputation: { readonly asSeller: { readonly counts: Readonly<Record<string, number>> } };
  }

  /** What the command line says of the seller, by one source. */
  async function reputationFrom(source: "index" | "chain"): Promise<Answered> {
    const [setUp = ""] = await quickstart();
    const { stdout } = await bash([
      setUp,
      `assay reputation "$(assay wallet address seller)" --from ${source} --json`,
    ]);
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Answered;
  }

  it("settles one agreement by the commands of docs/cli.md, in fewer than ten with npm start", async () => {
    const commands = await quickstart();
    expect(commands.length + 1).to.be.lessThan(10);
    const seller = stack.cast.seller.address as Address;
    const before = await balanceOf(stack.venue, seller);
    earlier = (await reputationFrom("chain")).reputation.asSeller.counts;
    const { stdout } = await bash(commands);
    expect(stdout).to.match(/^Funded agreement 0x[0-9a-f]{64} with 25 USDC$/m);
    expect(stdout).to.match(/ {2}Released {2}0x[0-9a-f]{64}$/m);
    expect(stdout).to.match(/^\d+ passed, 0 failed, 0 not checked$/m);
    expect(await balanceOf(stack.venue, seller)).to.equal(before + REWARD);
  });

  it("then reads the seller's reputation from the index, and the same figures from the chain", async () => {
    const [index, chain] = [await reputationFrom("index"), await reputationFrom("chain")];
    expect([index.source, chain.source]).to.deep.equal(["index", "chain"]);
    const { counts } = index.reputation.asSeller;
    expect(counts).to.deep.include({
      funded: Number(earlier["funded"]) + 1,
      passed: Number(earlier["passed"]) + 1,
    });
    expect(chain.reputation.asSeller.counts).to.deep.equal(counts);
  });

  it("and is told by the doctor that nothing is wrong", async () => {
    const [setUp = ""] = await quickstart();
    const { stdout } = await bash([setUp, "assay doctor --wallet buyer || true"]);
    expect(stdout.split("\n").filter((line) => line.startsWith("FAIL"))).to.deep.equal([]);
  });
});
