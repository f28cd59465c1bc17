import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";

const DEMO = join(import.meta.dirname, "../../scripts/demo.ts");

interface Decision {
  decision: string;
  seller: string;
  evidence: number;
  completion: { bps: number; lowBps: number; highBps: number };
  reasons: string[];
}

interface Shown {
  histories: { seller: string; agreements: { outcome: string }[] }[];
  decisions: { B: Decision; C: Decision };
  deal: { outcome: string; paid: string };
}

describe("npm run demo", function () {
  this.timeout(300_000);
  let said = "";
  let shown: Shown;
  let code: number | null;

  before(async () => {
    const child = spawn(process.execPath, [DEMO, "--json"], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(said);
    shown = JSON.parse(output) as Shown;
  });

  it("makes both histories of agreements that were judged and settled", () => {
    const outcomes = shown.histories.map(({ agreements }) => agreements.map(({ outcome }) => outcome));
    expect(outcomes).to.deep.equal([
      ["FAIL", "PASS", "FAIL", "FAIL"],
      ["PASS", "PASS", "PASS", "PASS"],
    ]);
  });

  it("declines the seller who mostly failed and hires the other", () => {
    const { B, C } = shown.decisions;
    expect([B.decision, B.evidence, C.decision, C.evidence]).to.deep.equal(["DECLINE", 4, "HIRE", 4]);
    expect(B.completion.bps).to.be.within(2_450, 2_550);
    expect(C.completion.bps).to.equal(10_000);
  });

  it("pays the one it hired", () => {
    expect(shown.deal).to.include({ outcome: "PASS", paid: "25000000" });
  });

  it("shows the numbers and reasons that the server returned", () => {
    for (const { seller, decision, completion, reasons } of Object.values(shown.decisions)) {
      expect(said).to.include(`${seller}: ${decision}`);
      for (const bps of [completion.bps, completion.lowBps, completion.highBps])
        expect(said).to.include(`${bps / 100} %`);
      for (const reason of reasons) expect(said).to.include(reason);
    }
  });
});

describe("npm run demo -- --joint", function () {
  this.timeout(300_000);

  it("decides and pays all five verdicts, each by one transaction for both agents", async () => {
    const child = spawn(process.execPath, [DEMO, "--joint", "--json"], { stdio: ["ignore", "pipe", "pipe"] });
    let [output, told] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    expect(code, told).to.equal(0);
    const { workflows } = JSON.parse(output) as {
      workflows: {
        expected: string;
        judgeTx: string;
        sides: Record<"A" | "B", { outcome: string; paid: string }>;
      }[];
    };
    const rows = workflows.map(({ expected, sides: { A, B } }) => [
      expected,
      A.outcome,
      A.paid,
      B.outcome,
      B.paid,
    ]);
    expect(rows).to.deep.equal([
      ["AGENT_A_FAULT", "FAIL", "0", "PASS", "1000000"],
      ["AGENT_B_FAULT", "PASS", "4000000", "FAIL", "0"],
      ["SHARED_FAULT", "FAIL", "0", "FAIL", "0"],
      ["NEITHER_AGENT_FAULT", "PASS", "4000000", "PASS", "1000000"],
      ["INCONCLUSIVE", "UNDETERMINED", "1600000", "UNDETERMINED", "400000"],
    ]);
    for (const { expected, judgeTx } of workflows) {
      expect(told).to.include(expected);
      expect(told).to.include(judgeTx);
    }
  });
});
