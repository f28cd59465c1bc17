import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { Wallet } from "ethers";
import { documentHash, parseBundle, type AuditReport, type Evidence, type Hex } from "@assay/protocol";
import { loadExample, type ExampleName } from "../../examples/index.ts";
import { deliveryFor, expire, submit, type Deal } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import { control, deliver, fundedDeal, passTime, untilSettled, untilSubmission } from "./support/scene.ts";
import { openStack } from "./support/world.ts";

const ASSAY = join(import.meta.dirname, "../../cli/src/bin/assay.ts");
const HOUR = 3600;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

describe("assay audit, end to end", function () {
  this.timeout(120_000);
  let stack: Stack;
  let folder: string;
  let pass: Deal, fail: Deal, undetermined: Deal, withheld: Deal, expired: Deal;

  before(async () => {
    stack = await openStack();
    folder = await mkdtemp(join(tmpdir(), "assay-audit-"));
    // Disagreement is a matter of the network's next transactions, so this deal goes first and alone.
    undetermined = await fundedDeal(stack, "password-reset/strict");
    await control(stack, "disagreeNext", { contract: stack.judge.contract, transactions: 2 });
    await keep(undetermined, "password-reset/strict");
    await untilSettled(stack, undetermined);
    pass = await fundedDeal(stack, "password-reset/strict");
    fail = await fundedDeal(stack, "password-reset/lenient");
    withheld = await fundedDeal(stack, "password-reset/strict");
    expired = await fundedDeal(stack, "password-reset/strict");
    await keep(pass, "password-reset/strict");
    await keep(fail, "password-reset/lenient");
    const delivery = deliveryFor(withheld, loadExample("password-reset/strict").submission);
    await submit(stack.venue, withheld, stack.cast.seller, documentHash(delivery));
    await Promise.all([
      untilSettled(stack, pass),
      untilSettled(stack, fail),
      untilSubmission(stack, withheld, ({ state }) => state === "ANCHORED"),
    ]);
    await passTime(stack, 2 * HOUR);
    await expire(stack.venue, expired, stack.cast.relayer);
    await untilSettled(stack, withheld);
    for (const { agreementId, document } of [pass, fail, undetermined, withheld, expired])
      await writeFile(join(folder, `${agreementId}.agreement.json`), document);
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Delivers an example, and keeps a copy of the submission in the folder. */
  async function keep(deal: Deal, example: ExampleName): Promise<void> {
    const hash = await deliver(stack, deal, example);
    const delivery = deliveryFor(deal, loadExample(example).submission);
    expect(documentHash(delivery)).to.equal(hash);
    await writeFile(join(folder, `${hash}.json`), delivery);
  }

  /** Runs `assay` in a process of its own, with nothing but these settings. */
  async function assay(args: string[], env: Record<string, string> = {}): Promise<Ended> {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [ASSAY, ...args], {
        env: { PATH: process.env["PATH"], ...env },
        maxBuffer: 1 << 26,
      });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as Ended;
      return { code, stdout, stderr };
    }
  }

  const places = (): Record<string, string> => ({
    ASSAY_EVM_RPC_URL: stack.evm.rpcUrl,
    ASSAY_EVM_CHAIN_ID: String(stack.evm.chainId),
    ASSAY_ESCROW: stack.venue.escrow,
    ASSAY_GENLAYER_RPC_URL: stack.genlayer.rpcUrl,
    ASSAY_SOURCES: stack.operators.map(({ url }) => url).join(),
  });

  async function audited(deal: Deal, env = places()): Promise<AuditReport & { mode: string }> {
    const { code, stdout, stderr } = await assay(["audit", deal.agreementId, "--json"], env);
    expect(code, `${stdout}\n${stderr}`).to.equal(0);
    return JSON.parse(stdout) as AuditReport & { mode: string };
  }

  /** Ids of the steps that were not checked. */
  const open = ({ steps }: AuditReport): string[] =>
    steps.filter(({ result }) => result !== "PASS").map(({ id }) => id);

  it("PASS: recomputes every step from the chains and an operator's documents", async () => {
    const report = await audited(pass);
    expect(report).to.include({ mode: "live", outcome: "PASS", ending: "Released", failed: 0 });
    expect(open(report)).to.deep.equal([]);
  });

  it("FAIL: the refund follows from the judge's record", async () => {
    const report = await audited(fail);
    expect(report).to.include({ outcome: "FAIL", ending: "Refunded", failed: 0 });
    expect(open(report)).to.deep.equal([]);
  });

  it("UNDETERMINED: both rounds are found and examined, and the split is the agreed one", async () => {
    const report = await audited(undetermined);
    expect(report).to.include({ outcome: "UNDETERMINED", ending: "Concluded", failed: 0 });
    expect(open(report)).to.deep.equal(["adjudicationHash", "judgeRecord", "checks"]);
  });

  it("WITHHELD: the refund is checked, and that there is nothing of the judge to check is said", async () => {
    const report = await audited(withheld);
    expect(report).to.include({ outcome: "WITHHELD", ending: "Refunded", failed: 0 });
    expect(report.steps.find(({ id }) => id === "verdictHash")?.result).to.equal("PASS");
    expect(report.steps.find(({ id }) => id === "judgeStatus")?.note).to.equal(
      "WITHHELD names no judge transaction",
    );
  });

  it("an agreement that no verdict ended: its terms, times and amounts are checked", async () => {
    const report = await audited(expired);
    expect(report).to.include({ outcome: null, ending: "Expired", failed: 0 });
    const held = report.steps.filter(({ result }) => result === "PASS").map(({ id }) => id);
    expect(held).to.include.members(["agreementId", "agreementHash", "amounts", "deadlines", "inclusion"]);
  });

  it("prints every step with both values", async () => {
    const start = performance.now();
    const { code, stdout, stderr } = await assay(["audit", pass.agreementId], places());
    const seconds = (performance.now() - start) / 1000;
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain(`Agreement ${pass.agreementId} ended with Released, by the verdict PASS`);
    expect(stdout).to.contain(`expected ${pass.terms.agreementHash}`);
    expect(stdout.match(/^(PASS|NOT CHECKED) /gm)).to.have.length(32);
    process.stderr.write(`      assay audit of a settled agreement: ${seconds.toFixed(2)} s\n`);
  });

  describe("with no operator left", () => {
    let bundle: string;
    const signer = new Wallet(`0x${"17".repeat(32)}`);

    before(async () => {
      bundle = join(folder, "pass.bundle");
      const wrote = await assay(["bundle", pass.agreementId, "--out", bundle], places());
      expect(wrote.code, wrote.stderr).to.equal(0);
      await Promise.all(stack.operators.map((operator) => operator.stop()));
    });
    after(() => Promise.all(stack.operators.map((_operator, index) => stack.restartOperator(index, "stop"))));

    it("every verdict is audited from the chains and a folder of documents", async () => {
      const env = { ...places(), ASSAY_SOURCES: folder };
      const reports = await Promise.all([pass, fail, undetermined].map((deal) => audited(deal, env)));
      expect(reports.map(open)).to.deep.equal([[], [], ["adjudicationHash", "judgeRecord", "checks"]]);
      await Promise.all([withheld, expired].map((deal) => audited(deal, env)));
    });

    it("a source that is gone is named as the reason, and nothing is invented", async () => {
      const { code, stdout } = await assay(["audit", pass.agreementId, "--json"], places());
      expect(code).to.equal(0);
      const { steps, result } = JSON.parse(stdout) as AuditReport;
      expect(result).to.equal("INCOMPLETE");
      const step = steps.find(({ id }) => id === "agreementHash");
      expect(step?.result).to.equal("NOT_CHECKED");
      expect(step?.note).to.match(/was not found: http:\/\/127\.0\.0\.1:\d+: fetch failed/);
      const strict = await assay(["audit", pass.agreementId, "--strict"], places());
      expect(strict.code).to.equal(1);
    });

    it("a bundle is audited without any network, proofs of inclusion and all", async () => {
      const { code, stdout } = await assay(["audit", "--verdict", bundle, "--offline", "--json"]);
      expect(code).to.equal(0);
      const report = JSON.parse(stdout) as AuditReport & { mode: string };
      expect(report).to.include({ mode: "offline", outcome: "PASS", failed: 0 });
      expect(open(report)).to.deep.equal([]);
    });

    it("a bundle is compared with what the chains say now", async () => {
      const { code, stdout, stderr } = await assay(["audit", "--verdict", bundle, "--json"], places());
      expect(code, stdout + stderr).to.equal(0);
      const { steps } = JSON.parse(stdout) as AuditReport;
      expect(steps.at(-1)).to.include({ id: "bundle", result: "PASS" });
    });

    it("a bundle that says of the judge what the chain does not say fails against the chain", async () => {
      const evidence = parseBundle(await readFile(bundle));
      const forged: Evidence = {
        ...evidence,
        judge: evidence.judge && {
          ...evidence.judge,
          transactions: evidence.judge.transactions.map((one) => ({ ...one, participants: 99 })),
        },
      };
      const file = join(folder, "forged.bundle");
      await writeFile(file, JSON.stringify(forged));
      expect((await assay(["audit", "--verdict", file, "--offline"])).code).to.equal(0);
      const { code, stdout } = await assay(["audit", "--verdict", file, "--json"], places());
      expect(code).to.equal(1);
      expect((JSON.parse(stdout) as AuditReport).steps.at(-1)).to.include({
        id: "bundle",
        result: "FAIL",
        note: "judge.transactions[0].participants differs",
        expected: "5",
        actual: "99",
      });
    });

    it("an in-toto envelope carries the same evidence, signed by a key that was explicitly allowed", async () => {
      const file = join(folder, "pass.intoto");
      const env = { ...places(), ASSAY_SOURCES: folder, EXPORT_KEY: signer.privateKey };
      const args = ["bundle", pass.agreementId, "--format", "in-toto", "--sign-key-env", "EXPORT_KEY"];
      const wrote = await assay([...args, "--out", file], env);
      expect(wrote.code, wrote.stderr).to.equal(0);
      const { code, stdout } = await assay(["audit", "--verdict", file, "--offline", "--json"]);
      expect(code).to.equal(0);
      const report = JSON.parse(stdout) as AuditReport & { envelopeSigners: Hex[] };
      expect(report.envelopeSigners).to.deep.equal([signer.address]);
      expect(report).to.include({ outcome: "PASS", failed: 0 });
    });
  });

  describe("says what is wrong", () => {
    const refused = async (change: Record<string, string>, id: Hex = pass.agreementId): Promise<Ended> => {
      const ended = await assay(["audit", id, "--json"], { ...places(), ...change });
      const { error } = JSON.parse(ended.stdout) as {
        error: { message: string; hint: string; exitCode: number };
      };
      expect(error.exitCode).to.equal(ended.code);
      expect(error.hint).to.not.equal("");
      return ended;
    };

    it("a node of another chain", async () => {
      const { code, stderr } = await refused({ ASSAY_EVM_CHAIN_ID: "8453" });
      expect(code).to.equal(3);
      expect(stderr).to.contain("is a node of chain 31337, not of chain 8453");
    });

    it("no contract at the escrow's address", async () => {
      const { code, stderr } = await refused({ ASSAY_ESCROW: stack.cast.buyer.address });
      expect(code).to.equal(3);
      expect(stderr).to.contain(`there is no contract at ${stack.cast.buyer.address} on chain 31337`);
    });

    it("an agreement that the escrow does not know", async () => {
      const id: Hex = `0x${"ab".repeat(32)}`;
      const { code, stderr } = await refused({}, id);
      expect(code).to.equal(3);
      expect(stderr).to.contain(`knows no agreement ${id}`);
    });

    it("no node at all", async () => {
      const { code, stderr } = await refused({ ASSAY_EVM_RPC_URL: "http://127.0.0.1:1" });
      expect(code).to.equal(3);
      expect(stderr).to.contain("http://127.0.0.1:1 gives no answer to eth_chainId");
    });
  });
});
