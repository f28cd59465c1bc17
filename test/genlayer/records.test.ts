import { documentHash } from "@assay/protocol";
import { expect } from "chai";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { run, SENDER, textOf, valueOf } from "./support/executor.ts";
import {
  adjudicate,
  agreement,
  caseOf,
  keyOf,
  recordOf,
  storedRecord,
  submission,
  VERIFIER,
} from "./support/verifier.ts";

const QUOTE = "if (token.expiresAt <= now) throw new Error();";
const OTHER_RELAYER = "0x1000000000000000000000000000000000000001";
const twoRelayers = () => {
  const { adjudication } = agreement();
  return agreement({
    adjudication: { ...adjudication, relayers: [...adjudication.relayers, OTHER_RELAYER] },
  });
};
const answer = (
  entries: Record<string, { met?: unknown; quote?: unknown; note?: unknown }>,
  score: unknown = 80,
): string =>
  JSON.stringify({
    requirements: Object.fromEntries(
      Object.entries(entries).map(([id, entry]) => [id, { met: true, quote: QUOTE, note: "n", ...entry }]),
    ),
    score,
  });

describe("AgreementVerifier's records", () => {
  describe("contract_info", () => {
    const info = {
      name: "Assay agreement verifier",
      recordVersion: 1,
      schemas: ["assay/agreement/1", "assay/submission/1", "assay/adjudication/1"],
      checks: [
        "execution_proof",
        "file_exists",
        "file_hash",
        "function_exists",
        "http_status",
        "regex",
        "reported",
        "string_present",
      ],
      languages: ["python", "typescript", "solidity", "rust", "go"],
      limits: { agreementBytes: 65_536, submissionBytes: 524_288, recordBytes: 65_536 },
      untrustedPromptCharacters: 49_152,
      comparedByValidators: "met or not met, per requirement",
      fetchedFromTheWeb: "http_status checks and links, by every validator for itself",
      records: 0,
    };

    it("tells everything that the contract does and its limits", async () => {
      expect(valueOf(await run(VERIFIER, "read", { method: "contract_info" }))).to.deep.equal(info);
      const state = (await adjudicate(caseOf())).state!;
      expect(valueOf(await run(VERIFIER, "read", { method: "contract_info" }, { state }))).to.deep.equal({
        ...info,
        records: 1,
      });
    });
  });

  describe("records", () => {
    const item = caseOf(twoRelayers());
    const failing = () => scriptedModel([answer({ "REQ-1": { met: false, quote: "" } })]);
    const records = async (
      state: Uint8Array,
      offset: number | bigint,
      limit: number,
      key: string = keyOf(item),
    ) => run(VERIFIER, "read", { method: "get_records", args: [key, offset, limit] }, { state });
    let state: Uint8Array;
    before(async () => {
      const first = (await adjudicate(item)).state!;
      const between = (
        await adjudicate(caseOf(twoRelayers(), submission({ summary: "Other." })), { state: first })
      ).state!;
      state = (await adjudicate(item, { state: between, sender: OTHER_RELAYER, model: failing() })).state!;
    });

    it("of a key are listed in the order of storing, by pages", async () => {
      const [one, other] = [
        { sender: agreement().adjudication.relayers[0], sequence: 1, outcome: "PASS" },
        { sender: OTHER_RELAYER, sequence: 3, outcome: "FAIL" },
      ];
      expect(valueOf(await records(state, 0, 100))).to.deep.equal([one, other]);
      expect(valueOf(await records(state, 0, 1))).to.deep.equal([one]);
      expect(valueOf(await records(state, 1, 1))).to.deep.equal([other]);
      expect(valueOf(await records(state, 2, 100))).to.deep.equal([]);
      expect(valueOf(await records(state, 0, 100, `0x${"00".repeat(32)}`))).to.deep.equal([]);
    });

    it("are read within bounds", async () => {
      expect(valueOf(await records(state, Number.MAX_SAFE_INTEGER, 100))).to.deep.equal([]);
      expect(textOf(await records(state, -1, 1))).to.equal(
        "[EXPECTED] offset: must be 0 to 9007199254740991",
      );
      expect(textOf(await records(state, 2n ** 53n, 1))).to.equal(
        "[EXPECTED] offset: must be 0 to 9007199254740991",
      );
      expect(textOf(await records(state, 0, 0))).to.equal("[EXPECTED] limit: must be 1 to 100");
      expect(textOf(await records(state, 0, 101))).to.equal("[EXPECTED] limit: must be 1 to 100");
      expect(textOf(await records(state, 0, 1, "0x12"))).to.match(/^\[EXPECTED\] key: must be/);
      const one = (sender: unknown, key: unknown) =>
        run(VERIFIER, "read", { method: "get_record", args: [sender, key] as string[] }, { state });
      expect(textOf(await one("0x12", keyOf(item)))).to.equal(
        "[EXPECTED] sender: must be 0x and 40 hex digits",
      );
      expect(textOf(await one(SENDER, "0x12"))).to.match(/^\[EXPECTED\] key: must be/);
    });

    it("are whole: each under its sender, who may be spelled in any case", async () => {
      const stored = await storedRecord(
        state,
        item,
        OTHER_RELAYER.toUpperCase().replace("0X", "0x") as `0x${string}`,
      );
      const { record, ...rest } = stored;
      expect(rest).to.deep.equal({
        version: 1,
        sequence: 3,
        sender: OTHER_RELAYER,
        key: keyOf(item),
        adjudicationHash: documentHash(Buffer.from(record)),
        notes: "score 80 of 100\nREQ-1: n",
      });
      expect(JSON.parse(record)).to.deep.equal({
        schema: "assay/adjudication/1",
        adjudicationKey: keyOf(item),
        agreementHash: documentHash(Buffer.from(item.agreement)),
        agreementId: item.agreementId,
        chainId: item.chainId,
        escrow: item.escrow,
        submissionHash: documentHash(Buffer.from(item.submission)),
        relayer: OTHER_RELAYER,
        sequence: 3,
        outcome: "FAIL",
        requirements: [{ id: "REQ-1", result: "FAIL", decidedBy: "model" }],
        evidence: [],
      });
      expect(await storedRecord(state, item, `0x${"77".repeat(20)}`)).to.deep.equal({
        version: 0,
        sequence: 0,
        sender: `0x${"77".repeat(20)}`,
        key: keyOf(item),
        record: "",
        adjudicationHash: "",
        notes: "",
      });
    });

    it("spell the escrow by EIP-55 whatever the spelling in the call", async () => {
      const lower = caseOf(undefined, undefined, { escrow: caseOf().escrow.toLowerCase() as `0x${string}` });
      expect((await recordOf(lower)).escrow).to.equal(caseOf().escrow);
      expect(keyOf(lower)).to.equal(keyOf(caseOf()));
    });
  });

  describe("the leader's notes", () => {
    const noted = async (note: string, count = 1): Promise<string> => {
      const ids = Array.from({ length: count }, (_, index) => `R${String(index).padStart(2, "0")}`);
      const terms = agreement({ requirements: ids.map((id) => ({ id, text: "t" })) });
      const given = answer(Object.fromEntries(ids.map((id) => [id, { note }])));
      const item = caseOf(terms);
      const { state } = await adjudicate(item, { model: scriptedModel([given]) });
      return (await storedRecord(state!, item)).notes;
    };

    it("are cut at 300 characters each, and control characters are blanked", async () => {
      expect(await noted("x".repeat(400))).to.equal(`score 80 of 100\nR00: ${"x".repeat(300)}`);
      expect(await noted("a\u0000b\u001fc\u007fd\u009fe\u00a0f")).to.equal(
        "score 80 of 100\nR00: a b c d e\u00a0f",
      );
    });

    it("are cut at 8 KiB together, between characters", async () => {
      const notes = await noted("é".repeat(300), 30);
      // The cut falls into the middle of a character
      expect(Buffer.byteLength(notes)).to.be.within(8191, 8192);
      expect(notes).to.match(/é$/);
      expect(Buffer.byteLength(await noted("x".repeat(300), 30))).to.equal(8192);
    });

    it("are empty when no model was asked", async () => {
      const terms = agreement({
        requirements: [{ id: "F", text: "t", check: { type: "file_exists", path: "src/reset.ts" } }],
      });
      const { state } = await adjudicate(caseOf(terms));
      expect((await storedRecord(state!, caseOf(terms))).notes).to.equal("");
    });
  });
});
