import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { collect } from "../../cli/src/work/collect.ts";
import { ignoreFrom } from "../../cli/src/work/ignore.ts";
import { startMarket, type Market } from "./support/market.ts";
import { serve } from "../evidence/support/serve.ts";

/** Writes files below a folder. */
async function write(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

describe("collecting a delivery", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-work-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const refusal = (): Promise<string> =>
    collect(folder).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );

  it("takes every text below the folder, byte for byte, in the order of the paths", async () => {
    await write(folder, { "b.md": "\uFEFFb\r\n", "a/z.ts": "ä\n", "a/__proto__": "p", empty: "" });
    const { files, bytes, ignored } = await collect(folder);
    expect(Object.entries(files)).to.deep.equal([
      ["a/__proto__", "p"],
      ["a/z.ts", "ä\n"],
      ["b.md", "\uFEFFb\r\n"],
      ["empty", ""],
    ]);
    expect([bytes, ignored]).to.deep.equal([10, []]);
  });

  it("leaves out what is secret or not the seller's, and what the folder's rules name", async () => {
    await write(folder, {
      ".assayignore": "*.log\n!keep.log\n/build/\n# comment\ndocs/**/draft?.md\n",
      ".env": "KEY=1",
      "id_rsa.pub": "k",
      "node_modules/x/index.js": "x",
      ".git/config": "g",
      "a.log": "l",
      "keep.log": "k",
      "build/out.js": "o",
      "src/build/in.js": "i",
      "docs/a/b/draft1.md": "d",
      "docs/draft.md": "d",
    });
    const { files, ignored } = await collect(folder);
    expect(Object.keys(files)).to.deep.equal(["docs/draft.md", "keep.log", "src/build/in.js"]);
    expect(ignored).to.include.members([".env", ".git/", "build/", "node_modules/", "docs/a/b/draft1.md"]);
  });

  it("reads .gitignore when there is no .assayignore", async () => {
    await write(folder, { ".gitignore": "secret.txt\n", "secret.txt": "s", "open.txt": "o" });
    expect(Object.keys((await collect(folder)).files)).to.deep.equal([".gitignore", "open.txt"]);
  });

  it("follows no link, out of the folder or inside", async () => {
    await write(folder, { "a.md": "a" });
    await symlink("/etc/passwd", join(folder, "passwd"));
    await symlink("..", join(folder, "up"));
    const message = await refusal();
    expect(message).to.include("passwd is a symbolic link").and.include("up is a symbolic link");
  });

  it("refuses what is no file, without waiting for it", async () => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(await refusal()).to.include("pipe is neither a file nor a folder");
  });

  it("refuses a huge file without reading it, and names the limit", async () => {
    await write(folder, { "big.bin": "" });
    await truncate(join(folder, "big.bin"), 8 * 1024 ** 3);
    expect(await refusal()).to.include("big.bin has 8589934592 bytes; all files together may have 524288");
  });

  it("refuses what is no text, and shows names with control characters as escapes", async () => {
    await write(folder, { "evil\u001B[2J.bin": Buffer.from([0xff, 0xfe, 0x00]) });
    const message = await refusal();
    expect(message).to.include("evil\\u001b[2J.bin is no text in UTF-8").and.not.include("\u001B");
  });

  it("refuses more files than a submission may have", async () => {
    await write(folder, Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${index}.txt`, ""])));
    expect(await refusal()).to.include("201 files; a submission has at most 200");
  });

  it("decides by the last rule that fits, and no pattern takes long", () => {
    const ignore = ignoreFrom("*\n!*.md\n");
    expect([ignore("a.txt", false), ignore("a.md", false)]).to.deep.equal([true, false]);
    const slow = ignoreFrom(`${"*a".repeat(30)}b\n`);
    expect(slow("a".repeat(60), false)).to.equal(false);
  });
});

describe("assay work", function () {
  this.timeout(60_000);
  let market: Market;
  let good: string;
  let bad: string;
  before(async () => {
    market = await startMarket();
    good = join(market.folder, "good");
    bad = join(market.folder, "bad");
    await write(good, { "report.md": "# Report\n" });
    await write(bad, { "other.md": "# Other\n" });
  });
  after(() => market.end());

  it("check tells every check's result and ends with 1 when one fails", async () => {
    const { file } = await market.drawUp("--require", "R2: well written");
    const passing = await market.assay("work", "check", file, good);
    expect(passing.code).to.equal(0);
    expect(passing.out).to.match(/PASS {2}R1 {2}the file is there\n {2}OPEN {2}R2 {2}the validators' models/);
    const failing = await market.assay("work", "check", file, bad, "--json");
    expect(failing.code).to.equal(1);
    const { requirements } = JSON.parse(failing.out) as { requirements: { result: string }[] };
    expect(requirements.map(({ result }) => result)).to.deep.equal(["FAIL", "OPEN"]);
  });

  it("submit publishes the document before it commits to it, and says so when run twice", async () => {
    const { file, agreementId } = await market.funded();
    const { code, out, err } = await market.assay(
      "work",
      "submit",
      file,
      good,
      "--wallet",
      "seller",
      "--json",
    );
    expect(code, err).to.equal(0);
    const { submissionHash } = JSON.parse(out) as { submissionHash: string };
    const response = await fetch(`${market.operator.url}/v1/documents/${submissionHash}`);
    expect(response.status).to.equal(200);
    expect(err).to.include("1 of the agreement's operators hold the submission (1 needed)");
    const again = await market.assay("work", "submit", file, good, "--wallet", "seller");
    expect([again.code, again.out]).to.deep.equal([
      0,
      "Exactly this was submitted already. Nothing was sent.\n",
    ]);
    await write(good, { "more.md": "m" });
    const other = await market.assay("work", "submit", agreementId, good, "--wallet", "seller");
    expect(other.code).to.equal(4);
    expect(other.err).to.include("refused. The work was submitted already, and a submission is made once.");
  });

  it("submit refuses work that its own checks fail, unless told to go on", async () => {
    const { file } = await market.funded();
    const refused = await market.assay("work", "submit", file, bad, "--wallet", "seller");
    expect(refused.code).to.equal(4);
    expect(refused.err).to.include("the judge would find FAIL: R1 (no such file)");
    const anyway = await market.assay("work", "submit", file, bad, "--wallet", "seller", "--anyway");
    expect(anyway.code, anyway.err).to.equal(0);
  });

  it("submit commits to nothing that too few operators hold", async () => {
    const { file } = await market.funded();
    const lying = await serve((path) =>
      path === "/v1/operator"
        ? JSON.stringify({
            attester: market.attester.address,
            evm: { chainId: 31337, escrow: market.contracts.escrow, quorum: market.contracts.quorum },
            quorum: { members: [market.attester.address], threshold: 1 },
            halted: null,
          })
        : "{}",
    );
    try {
      const { code, err } = await market.assay(
        ...["work", "submit", file, good, "--wallet", "seller", "--operator", lying.url],
      );
      expect(code).to.equal(4);
      expect(err)
        .to.include("it does not hand it out again")
        .and.include("only 0 of the 1 operators that a verdict needs hold the submission");
    } finally {
      await lying.stop();
    }
    const gone = await market.assay(
      ...["work", "submit", file, good, "--wallet", "seller", "--operator", "http://127.0.0.1:9"],
    );
    expect(gone.code).to.equal(4);
    const status = await market.assay("status", file, "--json");
    expect(JSON.parse(status.out)).to.include({ status: "Funded" });
  });

  it("submit is for the seller, before the deadline", async () => {
    const { file } = await market.funded("--deliver-by", "20m");
    const stranger = await market.assay("work", "submit", file, good, "--wallet", "buyer");
    expect(stranger.code).to.equal(4);
    await market.pass(21 * 60);
    const late = await market.assay("work", "submit", file, good, "--wallet", "seller");
    expect(late.code).to.equal(4);
    expect(late.err).to.include("The deadline for the delivery passed at");
  });

  it("links to what a URL serves now, by its hash and length, after the links of the notes", async () => {
    const { file } = await market.funded();
    const served = await serve((path) => (path === "/logo.svg" ? "<svg/>" : null));
    const notes = join(market.folder, "notes-with-link.json");
    const first = { url: "https://example.org/a", sha256: `0x${"11".repeat(32)}`, bytes: 1 };
    await writeFile(notes, JSON.stringify({ links: [first] }));
    try {
      const out = join(market.folder, "linked.json");
      const url = `${served.url}/logo.svg`;
      const args = ["work", "check", file, good, "--notes", notes, "--out", out];
      const { code, err } = await market.assay(...args, "--link", url);
      expect(code, err).to.equal(0);
      expect(err).to.include("is on a private host, which validators do not fetch");
      const { links } = JSON.parse(await readFile(out, "utf8")) as { links: unknown[] };
      expect(links).to.deep.equal([
        first,
        { url, bytes: 6, sha256: `0x${createHash("sha256").update("<svg/>").digest("hex")}` },
      ]);
      const missing = await market.assay(...args, "--link", `${served.url}/none`);
      expect(missing.code).to.equal(3);
      expect(missing.err).to.include("answers 404");
    } finally {
      await served.stop();
    }
    const noUrl = await market.assay("work", "check", file, good, "--link", "ftp://example.org/a");
    expect(noUrl.code).to.equal(2);
    expect(noUrl.err).to.include("--link ftp://example.org/a is not an http or https URL");
  });

  it("takes the seller's signature from elsewhere", async () => {
    const { file } = await market.funded();
    const { out } = await market.assay("work", "submit", file, good, "--typed-data");
    const { domain, types, message } = JSON.parse(out) as {
      domain: object;
      types: Record<string, never>;
      message: object;
    };
    const { EIP712Domain: _domain, ...own } = types;
    const signature = await market.account(2).signTypedData(domain, own, message as never);
    const sent = await market.assay(
      ...["work", "submit", file, good, "--signature", signature, "--wallet", "relayer"],
    );
    expect(sent.code, sent.err).to.equal(0);
  });

  it("says what is wrong with notes", async () => {
    const { file } = await market.drawUp();
    const notes = join(market.folder, "notes.json");
    await writeFile(notes, JSON.stringify({ evidence: [{ source: "s" }], extra: 1 }));
    const { code, err } = await market.assay("work", "check", file, good, "--notes", notes);
    expect(code).to.equal(2);
    expect(err).to.include("evidence[0].claim is missing").and.include('unknown member "extra"');
  });
});
