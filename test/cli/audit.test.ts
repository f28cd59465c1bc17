import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Wallet } from "ethers";
import { expect } from "chai";
import {
  canonicalize,
  envelopeDigest,
  parseBundle,
  sealEnvelope,
  statementOf,
  type Address,
  type AuditReport,
  type Evidence,
  type Hex,
} from "@assay/protocol";
import { assay } from "./support/run.ts";

const BUNDLE = join(import.meta.dirname, "../vectors/bundle.json");

describe("assay audit --verdict", () => {
  let folder: string;
  let evidence: Evidence;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-cli-"));
    evidence = parseBundle(await readFile(BUNDLE));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function written(name: string, value: unknown): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
    return file;
  }

  it("prints every step with both values, and nothing but data on standard output", async () => {
    const { code, out, err } = await assay(["audit", "--verdict", BUNDLE, "--offline"]);
    expect(code).to.equal(0);
    expect(err).to.equal("");
    expect(out).to.match(/^Agreement 0x40cabab2\w+ ended with Released, by the verdict PASS\n/);
    expect(out).to.contain(
      [
        "PASS         The agreement document is the one in the terms [agreementHash]",
        "             expected 0x4811fb7c0860b39db6e1f8315fe6d0179cb053b64bae82b1f4e36f40d330736c",
        "             actual   0x4811fb7c0860b39db6e1f8315fe6d0179cb053b64bae82b1f4e36f40d330736c",
      ].join("\n"),
    );
    expect(out).to.match(/\n32 passed, 0 failed, 0 not checked\n$/);
  });

  it("prints one JSON object with --json", async () => {
    const { code, out } = await assay(["audit", "--verdict", BUNDLE, "--offline", "--json"]);
    expect(code).to.equal(0);
    expect(out.trimEnd().split("\n")).to.have.length(1);
    expect(JSON.parse(out)).to.include.keys(
      ...["mode", "envelopeSigners", "agreementId", "ending", "outcome", "result", "passed", "failed"],
      ...["notChecked", "steps"],
    );
  });

  it("exits 1 when a step fails, and says which, with the two values", async () => {
    const documents = {
      ...evidence.documents,
      agreement: evidence.documents.agreement!.replace("Greeting", "Greeding"),
    };
    const file = await written("tampered.json", { ...evidence, documents });
    const { code, out } = await assay(["audit", "--verdict", file, "--offline"]);
    expect(code).to.equal(1);
    expect(out).to.contain("FAIL         The agreement document is the one in the terms [agreementHash]");
    expect(out).to.match(/\n\d+ passed, [1-9]\d* failed, \d+ not checked\n$/);
  });

  it("exits 0 when something could not be checked, and 1 with --strict", async () => {
    const gaps = [{ subject: "judge", reason: "no GenLayer node was asked" }];
    const file = await written("partial.json", { ...evidence, judge: null, gaps });
    const lenient = await assay(["audit", "--verdict", file, "--offline"]);
    expect(lenient.code).to.equal(0);
    expect(lenient.out).to.contain("NOT CHECKED  The judge's code is the code agreed on [codeHash]");
    expect(lenient.out).to.contain("no GenLayer node was asked");
    expect((await assay(["audit", "--verdict", file, "--offline", "--strict"])).code).to.equal(1);
  });

  it("audits the file by itself when no node was given, and says so", async () => {
    const { code, err } = await assay(["audit", "--verdict", BUNDLE]);
    expect(code).to.equal(0);
    expect(err).to.equal("No --rpc-url: the file is audited by itself, as with --offline.\n");
  });

  it("reads an in-toto envelope and names who signed it", async () => {
    const signer = new Wallet(`0x${"21".repeat(32)}`);
    const payload = statementOf(evidence, "PASS");
    const signature = signer.signingKey.sign(envelopeDigest(payload)).serialized as Hex;
    const envelope = sealEnvelope(payload, [{ signer: signer.address as Address, signature }]);
    const file = await written("signed.json", envelope);
    const { code, out } = await assay(["audit", "--verdict", file, "--offline", "--json"]);
    expect(code).to.equal(0);
    const report = JSON.parse(out) as AuditReport & { envelopeSigners: string[] };
    expect(report.envelopeSigners).to.deep.equal([signer.address]);
    expect(report.result).to.equal("PASS");
  });

  it("refuses an envelope whose signature is not its key's, or whose subjects are not its documents", async () => {
    const payload = statementOf(evidence, "PASS");
    const stranger = new Wallet(`0x${"22".repeat(32)}`);
    const signature = stranger.signingKey.sign(envelopeDigest(payload)).serialized as Hex;
    const signer = new Wallet(`0x${"21".repeat(32)}`).address as Address;
    const forged = await written("forged.json", sealEnvelope(payload, [{ signer, signature }]));
    const one = await assay(["audit", "--verdict", forged, "--offline"]);
    expect(one.code).to.equal(2);
    expect(one.err).to.contain(`signatures[0]: is not a signature of ${signer} over this payload`);

    const text = Buffer.from(payload)
      .toString("utf8")
      .replace(/"sha256":"./, '"sha256":"0');
    const renamed = await written("renamed.json", sealEnvelope(Buffer.from(text), []));
    const other = await assay(["audit", "--verdict", renamed, "--offline"]);
    expect(other.code).to.equal(2);
    expect(other.err).to.contain("subject: does not name the bundle's documents");
  });

  describe("says what is wrong with the command line or the file, and exits 2", () => {
    const cases: [string, () => Promise<string[]> | string[], string][] = [
      ["nothing to audit", () => ["audit"], "there is nothing to audit"],
      [
        "--offline without a file",
        () => ["audit", `0x${"1".repeat(64)}`, "--offline"],
        "--offline needs --verdict",
      ],
      ["an id that is none", () => ["audit", "0x12"], "Write 0x followed by 64 hexadecimal digits."],
      ["no node", () => ["audit", `0x${"1".repeat(64)}`], "no EVM node was given"],
      [
        "no escrow",
        () => ["audit", `0x${"1".repeat(64)}`, "--rpc-url", "http://127.0.0.1:1"],
        "no escrow was given",
      ],
      ["an escrow that is no address", () => ["audit", "--escrow", "0x12"], '"0x12" is not an address'],
      ["a node that is no URL", () => ["audit", "--rpc-url", "localhost"], "begins with http:// or https://"],
      ["an unknown option", () => ["audit", "--fast"], "unknown option '--fast'"],
      ["an unknown command", () => ["audti"], "unknown command 'audti'"],
      [
        "a file that is not there",
        () => ["audit", "--verdict", "/nowhere.json"],
        "/nowhere.json can't be read",
      ],
      [
        "a file that is no JSON",
        async () => ["audit", "--verdict", await written("text", "verdict: PASS")],
        "is no verdict bundle: line 1, column 1",
      ],
      [
        "a bundle with a member that this version does not know",
        async () => ["audit", "--verdict", await written("more.json", { ...evidence, trustMe: true })],
        'unknown member "trustMe"',
      ],
      [
        "another agreement's bundle",
        () => ["audit", `0x${"1".repeat(64)}`, "--verdict", BUNDLE],
        "is about agreement 0x40cabab2",
      ],
      [
        "a source that is no folder",
        () => [
          ...["audit", `0x${"1".repeat(64)}`, "--rpc-url", "http://127.0.0.1:1"],
          ...["--escrow", `0x${"1".repeat(40)}`, "--source", "/nowhere"],
        ],
        "--source /nowhere is no folder",
      ],
      [
        "a bundle to be signed that is no envelope",
        () => ["bundle", `0x${"1".repeat(64)}`, "--sign-key-env", "KEY"],
        "only envelopes are signed",
      ],
      [
        "a key that is none",
        () => ["bundle", `0x${"1".repeat(64)}`, "--format", "in-toto", "--sign-key-env", "KEY"],
        "KEY holds no private key",
      ],
    ];
    for (const [name, args, message] of cases) {
      it(name, async () => {
        const { code, out, err } = await assay(await args(), { KEY: "secret" });
        expect(code).to.equal(2);
        expect(out).to.equal("");
        expect(err).to.contain(message);
        expect(err).to.not.contain("secret");
      });
    }
  });

  it("--help tells of every command, option, variable and exit code, on standard output", async () => {
    const program = await assay(["--help"]);
    expect(program.code).to.equal(0);
    expect(program.out).to.match(/audit .*\n.*bundle /s);
    const { code, out } = await assay(["audit", "--help"]);
    expect(code).to.equal(0);
    for (const word of [
      "--verdict",
      "--offline",
      "--json",
      "ASSAY_EVM_RPC_URL",
      "ASSAY_SOURCES",
      "Exit codes:",
    ])
      expect(out).to.contain(word);
  });

  it("the bundle is canonical JSON already", async () => {
    expect(canonicalize(evidence)).to.equal(await readFile(BUNDLE, "utf8"));
  });
});
