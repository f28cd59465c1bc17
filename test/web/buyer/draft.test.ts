import { expect } from "chai";
import { checkSchema, type Check } from "@assay/protocol";
import { EXAMPLE_NAMES, loadExample } from "../../../examples/index.ts";
import { CHECK_KINDS, checkFrom, draftOfCheck } from "../../../web/src/buyer/check-draft.ts";
import { checkMeaning } from "../../../web/src/buyer/check-meaning.ts";
import {
  draftOfDocument,
  emptyDraft,
  isEmpty,
  nextRequirementId,
  readDraft,
  readTemplate,
} from "../../../web/src/buyer/draft.ts";
import { readLocalTime, writeLocalTime } from "../../../web/src/buyer/local-time.ts";

const CHECKS: Check[] = [
  { type: "string_present", needle: "a b", path: "src/a.ts" },
  { type: "regex", pattern: "a{2,3}" },
  { type: "function_exists", name: "run", language: "typescript" },
  { type: "file_exists", path: "a" },
  { type: "file_hash", path: "a", sha256: `0x${"a".repeat(64)}` },
  { type: "http_status", url: "https://example.org/", status: 204 },
  { type: "reported", reporter: "lab", claim: "it holds" },
  { type: "execution_proof" },
];

describe("the draft of an agreement", () => {
  it("is kept as text and read back whole", () => {
    const draft = draftOfDocument(loadExample("password-reset/strict").agreement, {
      seller: "0x1",
      reward: "5",
    });
    expect(readDraft(JSON.stringify(draft))).to.deep.equal(draft);
  });

  for (const [what, text] of [
    ["nothing", null],
    ["no JSON", "{"],
    ["another shape", "[]"],
    ["a member that is no text", JSON.stringify({ ...emptyDraft(), title: 7 })],
    ["a salt that is no number", JSON.stringify({ ...emptyDraft(), salt: "x" })],
    [
      "a check of no known type",
      JSON.stringify({
        ...emptyDraft(),
        requirements: [{ id: "A", text: "", check: { type: "x", fields: {} } }],
      }),
    ],
    [
      "more requirements than anybody reads",
      JSON.stringify({ ...emptyDraft(), requirements: Array(101).fill({ id: "", text: "", check: null }) }),
    ],
  ] as const)
    it(`is not taken from a browser's storage that holds ${what}`, () => {
      expect(readDraft(text)).to.equal(null);
    });

  it("is empty until somebody writes, whatever its salt", () => {
    expect(isEmpty(emptyDraft())).to.equal(true);
    expect(isEmpty({ ...emptyDraft(), title: "a" })).to.equal(false);
    expect(emptyDraft().salt).to.not.equal(emptyDraft().salt);
  });

  for (const name of EXAMPLE_NAMES)
    it(`opens the document of ${name}`, () => {
      const { agreement } = loadExample(name);
      const draft = readTemplate(JSON.stringify(agreement));
      expect(draft.title).to.equal(agreement.title);
      expect(
        draft.requirements.map(({ check }) => (check === null ? undefined : checkFrom(check))),
      ).to.deep.equal(agreement.requirements.map(({ check }) => check));
    });

  for (const [what, text] of [
    ["no JSON", "{"],
    ["something else", '{"title":"a","requirements":7}'],
    ["nesting without end", "[".repeat(100_000)],
    ["a title that is no text", '{"title":7,"requirements":[]}'],
  ])
    it(`refuses to open ${what}, in words`, () => {
      expect(() => readTemplate(text!)).to.throw(Error, /^This is no /);
    });

  it("names new requirements as none is named yet", () => {
    const one = { id: "REQ-3", text: "", check: null };
    expect(nextRequirementId([])).to.equal("REQ-1");
    expect(nextRequirementId([one, one])).to.equal("REQ-4");
  });

  for (const check of CHECKS)
    it(`holds a ${check.type} check without loss, and says what it means`, () => {
      expect(checkSchema.parse(checkFrom(draftOfCheck(check)))).to.deep.equal(check);
      expect(CHECK_KINDS.map(({ type }) => type)).to.include(check.type);
      const meaning = checkMeaning(check);
      expect(meaning.map((piece) => (typeof piece === "string" ? piece : piece.written)).join("")).to.match(
        /^Passes when .*\.$/s,
      );
      const written = meaning.flatMap((piece) => (typeof piece === "string" ? [] : [piece.written]));
      for (const value of Object.values(check).filter((one) => one !== check.type && typeof one === "string"))
        expect([...written, "typescript"]).to.include(value);
    });

  it("keeps dates in the visitor's own zone to the minute", () => {
    expect(readLocalTime(writeLocalTime(1_800_000_060))).to.equal(1_800_000_060);
    expect(readLocalTime("2026-12-24")).to.equal(null);
    expect(readLocalTime("2026-13-24T10:00")).to.equal(null);
  });
});
