import { expect } from "chai";
import fc from "fast-check";
import {
  type Agreement,
  DocumentError,
  MAX_DOCUMENT_BYTES,
  type Submission,
  encodeDocument,
  parseAgreement,
  parseSubmission,
} from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";
import { fullDocument } from "../support/vectors.ts";

const agreementText = fullDocument("agreement").canonical;
const agreement = parseAgreement(agreementText);
const submission = parseSubmission(fullDocument("submission").canonical);

describe("reading a document", () => {
  const refused: readonly [name: string, source: Uint8Array | string, code: string][] = [
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "not_utf8"],
    ["a byte order mark", Buffer.from(`\ufeff${agreementText}`), "byte_order_mark"],
    ["nothing", Buffer.of(), "syntax"],
    ["a line feed at the end", `${agreementText}\n`, "not_canonical"],
    ["a space", agreementText.replace(":", ": "), "not_canonical"],
    ["an unneeded escape", agreementText.replace("Password", "\\u0050assword"), "not_canonical"],
    [
      "an escaped solidus",
      agreementText.replace("assay/agreement/1", "assay\\/agreement/1"),
      "not_canonical",
    ],
    [
      "members out of order",
      `{"title":"t",${agreementText.slice(1).replace('"title":"Password reset",', "").replace(',"title":"Password reset"', "")}`,
      "not_canonical",
    ],
    ["a duplicate key", agreementText.replace('"title"', '"title":"x","title"'), "duplicate_key"],
    ["an integer with a fraction", agreementText.replace('"rounds":3', '"rounds":3.0'), "number_not_integer"],
    ["an escaped lone surrogate", agreementText.replace("Password", "\\ud800"), "lone_surrogate"],
    ["a raw lone surrogate in a text", agreementText.replace("Password", "\ud800"), "lone_surrogate"],
    ["text after the document", `${agreementText}{}`, "trailing_text"],
    ["an array", "[]", "wrong_schema"],
    ["null", "null", "wrong_schema"],
    ["another format's document", fullDocument("submission").canonical, "wrong_schema"],
  ];
  for (const [name, source, code] of refused) {
    it(`refuses ${name}: ${code}`, () => {
      const refusal = refusalOf(DocumentError, () => parseAgreement(source));
      expect(refusal.code).to.equal(code);
      expect(refusal.hint).to.match(/^[A-Z].*\.$/);
    });
  }

  it("says where the bytes leave the canonical form", () => {
    const refusal = refusalOf(DocumentError, () =>
      parseAgreement(agreementText.replace('{"adjudication"', '{ "adjudication"')),
    );
    expect(refusal.message).to.match(/differ from it at character 2$/);
  });

  it("keeps the position of a JSON error", () => {
    const refusal = refusalOf(DocumentError, () => parseAgreement('{"a":1,"a":1}'));
    expect(refusal.message).to.equal('line 1, column 8: the key "a" occurs twice');
    expect(refusal.cause).to.have.property("code", "duplicate_key");
  });

  it("tells every issue of one kind at once", () => {
    const broken = { ...agreement, title: "", task: 1 } as unknown as Agreement;
    const { issues, message } = refusalOf(DocumentError, () => encodeDocument(broken));
    expect(issues).to.deep.equal([
      { path: "title", message: "has 0 bytes of UTF-8; 1 to 200 are allowed", hint: "Write something." },
      { path: "task", message: "must be text", hint: "Put it in double quotes." },
    ]);
    expect(message).to.equal("title: has 0 bytes of UTF-8; 1 to 200 are allowed");
  });

  it("names the right spelling of an address in one letter case", () => {
    const contract = agreement.adjudication.contract;
    const broken = {
      ...agreement,
      adjudication: { ...agreement.adjudication, contract: contract.toLowerCase() },
    } as Agreement;
    const refusal = refusalOf(DocumentError, () => encodeDocument(broken));
    expect(refusal.path).to.equal("adjudication.contract");
    expect(refusal.hint).to.equal(`Write ${contract}.`);
  });

  it("refuses a submission that is for another agreement", () => {
    const { canonical } = fullDocument("submission");
    expect(parseSubmission(canonical, submission.agreementId)).to.deep.equal(submission);
    const refusal = refusalOf(DocumentError, () => parseSubmission(canonical, `0x${"00".repeat(32)}`));
    expect({ code: refusal.code, path: refusal.path }).to.deep.equal({
      code: "mismatch",
      path: "agreementId",
    });
  });

  it("does not find inherited names among a submission's files", () => {
    expect(submission.files["constructor"]).to.equal(undefined);
    expect("toString" in submission.files).to.equal(false);
  });
});

describe("the limit on canonical bytes", () => {
  /** A submission of exactly `bytes` canonical bytes. */
  function submissionOf(bytes: number): Submission {
    const empty: Submission = { ...submission, files: { a: "" } };
    const padding = bytes - encodeDocument(empty).length;
    return { ...empty, files: { a: "x".repeat(padding) } };
  }
  const limit = MAX_DOCUMENT_BYTES["assay/submission/1"];

  it("is inclusive", () => {
    const bytes = encodeDocument(submissionOf(limit));
    expect(bytes.length).to.equal(512 * 1024);
    expect(parseSubmission(bytes).files["a"]).to.match(/^x+$/);
  });

  it("holds for encoding and parsing", () => {
    const tooLarge = submissionOf(limit);
    const oversize: Submission = { ...tooLarge, files: { a: `${tooLarge.files["a"] ?? ""}x` } };
    expect(refusalOf(DocumentError, () => encodeDocument(oversize)).code).to.equal("too_large");
    const bytes = Buffer.concat([encodeDocument(tooLarge), Buffer.from(" ")]);
    expect(refusalOf(DocumentError, () => parseSubmission(bytes)).code).to.equal("too_large");
  });

  it("is looked at before anything else", () => {
    const garbage = new Uint8Array(limit + 1).fill(0xff);
    expect(refusalOf(DocumentError, () => parseSubmission(garbage)).code).to.equal("too_large");
  });

  it("is 64 KiB for agreements, though every part may be within its own bound", () => {
    const requirements = Array.from({ length: 30 }, (_, index) => ({
      id: `REQ-${index}`,
      text: "x".repeat(1000),
      check: { type: "string_present" as const, needle: "x".repeat(1000), path: "x".repeat(255) },
    }));
    expect(refusalOf(DocumentError, () => encodeDocument({ ...agreement, requirements })).message).to.match(
      /^the document has \d+ bytes; assay\/agreement\/1 allows 65536$/,
    );
  });
});

describe("encoding a document", () => {
  it("refuses a format that it does not know", () => {
    const unknown = { ...agreement, schema: "assay/agreement/9" } as unknown as Agreement;
    const refusal = refusalOf(DocumentError, () => encodeDocument(unknown));
    expect({ code: refusal.code, path: refusal.path }).to.deep.equal({
      code: "wrong_schema",
      path: "schema",
    });
  });

  it("refuses an optional member that is undefined instead of absent", () => {
    const [first] = agreement.requirements;
    const broken = { ...agreement, requirements: [{ ...first, check: undefined }] } as unknown as Agreement;
    const refusal = refusalOf(DocumentError, () => encodeDocument(broken));
    expect({ code: refusal.code, path: refusal.path }).to.deep.equal({
      code: "not_json",
      path: "requirements[0].check",
    });
    expect(refusal.hint).to.contain("leave optional members out");
  });

  it("is undone by parsing, whatever the texts", () => {
    const content = fc.string({ unit: "binary", maxLength: 200 });
    const path = fc.string({
      minLength: 1,
      maxLength: 40,
      unit: fc.constantFrom("a", "é", "😀", "_", "-", " "),
    });
    const files = fc
      .uniqueArray(fc.tuple(path, content), { maxLength: 8, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(files, content, (someFiles, summary) => {
        const document: Submission = { ...submission, files: someFiles, summary };
        expect(JSON.stringify(sorted(parseSubmission(encodeDocument(document))))).to.equal(
          JSON.stringify(sorted(document)),
        );
      }),
    );
  });

  it("depends on every character", () => {
    const bytes = Buffer.from(encodeDocument(agreement));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, flip) => {
        const other = Buffer.from(bytes);
        other[index]! ^= flip;
        try {
          const document = parseAgreement(other);
          expect(Buffer.from(encodeDocument(document)).equals(other)).to.equal(true);
          expect(document).to.not.deep.equal(agreement);
        } catch (error) {
          expect(error).to.be.instanceOf(DocumentError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

function sorted(document: Submission): unknown {
  return { ...document, files: Object.entries(document.files).sort() };
}
