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
