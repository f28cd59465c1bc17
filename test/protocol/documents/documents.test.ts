import { createHash } from "node:crypto";
import { expect } from "chai";
import {
  type AnyDocument,
  DocumentError,
  canonicalize,
  documentCid,
  documentHash,
  encodeDocument,
  parseAdjudication,
  parseAgreement,
  parseSubmission,
  parseVerdictRecord,
} from "@assay/protocol";
import { edited } from "../support/edit.ts";
import { refusalOf } from "../support/refusal.ts";
import { type FormatName, documentVectors, fullDocument } from "../support/vectors.ts";

const parsers: Record<FormatName, (source: Uint8Array | string) => AnyDocument> = {
  agreement: parseAgreement,
  submission: parseSubmission,
  adjudication: parseAdjudication,
  verdict: parseVerdictRecord,
};

describe("documents", () => {
  describe("accept", () => {
    for (const { format, name, canonical, bytes, sha256, cid } of documentVectors.accepted) {
      it(`${format}: ${name}`, () => {
        const source = Buffer.from(canonical, "utf8");
        const document = parsers[format](source);
        const encoded = encodeDocument(document);
        expect(Buffer.from(encoded).equals(source)).to.equal(true);
        expect(encoded.length).to.equal(bytes);
        expect(parsers[format](canonical)).to.deep.equal(document);
        expect(documentHash(encoded)).to.equal(sha256);
        expect(documentHash(encoded)).to.equal(`0x${createHash("sha256").update(source).digest("hex")}`);
        expect(documentCid(sha256)).to.equal(cid);
      });
    }
  });

  describe("refuse, in parsing and in encoding", () => {
    for (const { format, name, code, path, edits } of documentVectors.refused) {
      it(`${format}: ${name}`, () => {
        const document = edited(fullDocument(format).canonical, edits);
        const parsing = refusalOf(DocumentError, () => parsers[format](canonicalize(document)));
        expect({ code: parsing.code, path: parsing.path ?? null }).to.deep.equal({ code, path });
        for (const issue of parsing.issues) expect(issue.hint).to.match(/^[A-Z].*\.$/);
        if (code !== "wrong_schema") {
          const encoding = refusalOf(DocumentError, () => encodeDocument(document as unknown as AnyDocument));
          expect(encoding.issues).to.deep.equal(parsing.issues);
        }
      });
    }
  });
});
