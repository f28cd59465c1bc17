import { expect } from "chai";
import { encodeCalldata } from "../../localnet/src/genlayer/calldata.ts";
import type { ExecutionResult } from "../../localnet/src/genlayer/execution/executor.ts";
import { ModelError } from "../../localnet/src/genlayer/models/model.ts";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { textOf } from "./support/executor.ts";
import { adjudicate, agreement, caseOf, recordOf, storedRecord, submission } from "./support/verifier.ts";

const QUOTE = "if (token.expiresAt <= now) throw new Error();";

interface Entry {
  met?: unknown;
  quote?: unknown;
  note?: unknown;
  verdict?: unknown;
}

function answer(entries: Record<string, Entry> = { "REQ-1": {} }, score: unknown = 80): string {
  const filled = Object.entries(entries).map(([id, entry]) => [
    id,
    { met: true, quote: QUOTE, note: "It tests it.", ...entry },
  ]);
  return JSON.stringify({ requirements: Object.fromEntries(filled) as unknown, score });
}

const FAILING = answer({ "REQ-1": { met: false, quote: "" } });
const leaderRun = (given: string | ModelError): Promise<ExecutionResult> =>
  adjudicate(caseOf(), { model: scriptedModel([given]) });

describe("AgreementVerifier's consensus", () => {
  it("stores what the leader's model decided", async () => {
    expect(await recordOf(caseOf(), { model: scriptedModel([answer()]) })).to.include({ outcome: "PASS" });
    const failed = await recordOf(caseOf(), { model: scriptedModel([FAILING]) });
    expect(failed).to.deep.include({
      outcome: "FAIL",
      requirements: [{ id: "REQ-1", result: "FAIL", decidedBy: "model" }],
    });
  });

  it("keeps the leader's notes and score out of the record", async () => {
    const result = await leaderRun(answer({ "REQ-1": { note: "By line\n2" } }, 77));
    const stored = await storedRecord(result.state!, caseOf());
    expect(stored.notes).to.equal("score 77 of 100\nREQ-1: By line 2");
    expect(stored.record).to.not.contain("77").and.to.not.contain("By line");
  });

  describe("a usable answer", () => {
    const accepted: [string, string][] = [
      ["in a code fence", `\`\`\`json\n${answer()}\n\`\`\``],
      ["with booleans written as words", answer({ "REQ-1": { met: "true" } })],
      [
        "with white space changed in a quote",
        answer({ "REQ-1": { quote: "if  (token.expiresAt\n<= now)" } }),
      ],
      ["with a very long note", answer({ "REQ-1": { note: "x".repeat(10_000) } })],
    ];
    for (const [name, given] of accepted) {
      it(`is taken ${name}`, async () => {
        expect((await leaderRun(given)).kind).to.equal("return");
      });
    }

    it("takes the word false for false", async () => {
      const record = await recordOf(caseOf(), {
        model: scriptedModel([answer({ "REQ-1": { met: "false" } })]),
      });
      expect(record.outcome).to.equal("FAIL");
    });
  });

  describe("an unusable answer never becomes an outcome", () => {
    const refused: [string, string][] = [
      ["no JSON", "The requirement is met."],
      ["truncated", answer().slice(0, -10)],
      ["a list", "[]"],
      ["an extra key", answer().replace("{", '{"decision":"PASS",')],
      [
        "a missing score",
        JSON.stringify({ requirements: { "REQ-1": { met: true, quote: QUOTE, note: "" } } }),
      ],
      ["a fractional score", answer(undefined, 0.5)],
      ["a score beyond 100", answer(undefined, 101)],
      ["a boolean score", answer(undefined, true)],
      ["no entry for a requirement", answer({})],
      ["an entry for an unknown requirement", answer({ "REQ-1": {}, "REQ-2": {} })],
      ["an entry with an extra key", answer({ "REQ-1": { verdict: "PASS" } })],
      ["met as a number", answer({ "REQ-1": { met: 1 } })],
      ["met as another word", answer({ "REQ-1": { met: "PASS" } })],
      ["met as null", answer({ "REQ-1": { met: null } })],
      ["a quote that is not there", answer({ "REQ-1": { quote: "if (token.expiresAt > now) refuse();" } })],
      ["an empty quote", answer({ "REQ-1": { quote: "" } })],
      ["a quote too short to show anything", answer({ "REQ-1": { quote: "throw" } })],
      ["a quote that is a list", answer({ "REQ-1": { quote: [QUOTE] } })],
      [
        "a quote of the prompt's own rules",
        answer({ "REQ-1": { quote: "Judge each requirement for itself." } }),
      ],
    ];
    for (const [name, given] of refused) {
      it(name, async () => {
        const result = await leaderRun(given);
        expect([result.kind, result.state]).to.deep.equal(["user-error", null]);
        expect(textOf(result)).to.match(/^\[LLM_ERROR\] /);
      });
    }
  });

  describe("validators", () => {
    const leaders: Record<string, string | ModelError> = {
      pass: answer(),
      fail: FAILING,
      transient: new ModelError("transient", "503"),
      unusable: "nonsense",
    };
    const rulings: [keyof typeof leaders, keyof typeof leaders, boolean][] = [
      ["pass", "pass", true],
      ["pass", "fail", false],
      ["pass", "transient", false],
      ["pass", "unusable", false],
      ["fail", "fail", true],
      ["fail", "pass", false],
      ["transient", "transient", true],
      ["transient", "pass", false],
      ["transient", "unusable", false],
      ["unusable", "unusable", false],
      ["unusable", "pass", false],
      ["unusable", "transient", false],
    ];
    for (const [led, own, ruling] of rulings) {
      it(`${ruling ? "agree" : "disagree"} with a leader's ${led} on their own ${own}`, async () => {
        const leader = await leaderRun(leaders[led]!);
        const validator = await adjudicate(caseOf(), { leader, model: scriptedModel([leaders[own]!]) });
        expect(validator.validatorVotes).to.deep.equal([ruling]);
        expect(validator.kind).to.equal(leader.kind);
      });
    }

    it("agree whatever the prose and the score", async () => {
      const leader = await leaderRun(answer({ "REQ-1": { note: "a" } }, 10));
      const own = answer({ "REQ-1": { note: "b", quote: "export function reset(): void" } }, 90);
      expect(
        (await adjudicate(caseOf(), { leader, model: scriptedModel([own]) })).validatorVotes,
      ).to.deep.equal([true]);
    });

    it("ask their own model the same prompt as the leader's", async () => {
      const [first, second] = [scriptedModel([answer()]), scriptedModel([answer()])];
      const leader = await adjudicate(caseOf(), { model: first });
      await adjudicate(caseOf(), { leader, model: second });
      expect(second.prompts).to.deep.equal(first.prompts);
    });

    const lies: [string, Parameters<typeof encodeCalldata>[0]][] = [
      ["null", null],
      ["text", "PASS"],
      ["an outcome only", { outcome: "PASS" }],
      ["an extra key", { results: { "REQ-1": true }, notes: { "REQ-1": "" }, score: 1, outcome: "PASS" }],
      ["results as numbers", { results: { "REQ-1": 1 }, notes: { "REQ-1": "" }, score: 1 }],
      ["another requirement's result", { results: { "REQ-2": true }, notes: { "REQ-2": "" }, score: 1 }],
      ["an endless note", { results: { "REQ-1": true }, notes: { "REQ-1": "x".repeat(5000) }, score: 1 }],
      ["a score beyond 100", { results: { "REQ-1": true }, notes: { "REQ-1": "" }, score: 1000 }],
    ];
    for (const [name, lie] of lies) {
      it(`disagree with a leader that returns ${name}`, async () => {
        const honest = await leaderRun(answer());
        const leader = { ...honest, nondetOutputs: [Buffer.concat([Uint8Array.of(0), encodeCalldata(lie)])] };
        const validator = await adjudicate(caseOf(), { leader, model: scriptedModel([answer()]) });
        expect(validator.validatorVotes).to.deep.equal([false]);
      });
    }

    it("disagree with a leader's VM error", async () => {
      const honest = await leaderRun(answer());
      const leader = { ...honest, nondetOutputs: [Buffer.from("\x02exit_code 1")] };
      const validator = await adjudicate(caseOf(), { leader, model: scriptedModel([answer()]) });
      expect([validator.validatorVotes, validator.kind]).to.deep.equal([[false], "vm-error"]);
    });
  });

  it("asks no model when a check has failed, and judges the rest as not judged", async () => {
    const model = scriptedModel([]);
    const item = caseOf(
      agreement({
        requirements: [
          { id: "FILE", text: "There is a file.", check: { type: "file_exists", path: "missing.ts" } },
          { id: "REQ-1", text: "The code tests `expiresAt <= now`." },
        ],
      }),
    );
    expect(await recordOf(item, { model })).to.deep.include({
      outcome: "FAIL",
      requirements: [
        { id: "FILE", result: "FAIL", decidedBy: "check", check: "file_exists", detail: "no such file" },
        { id: "REQ-1", result: "NOT_JUDGED", decidedBy: "none" },
      ],
    });
    expect(model.prompts).to.deep.equal([]);
  });

  it("asks no model when every requirement has a check", async () => {
    const model = scriptedModel([]);
    const item = caseOf(
      agreement({
        requirements: [
          { id: "FILE", text: "There is a file.", check: { type: "file_exists", path: "src/reset.ts" } },
        ],
      }),
      submission(),
    );
    expect((await recordOf(item, { model })).outcome).to.equal("PASS");
    expect(model.prompts).to.deep.equal([]);
  });
});
