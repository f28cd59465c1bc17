import { canonicalize } from "@assay/protocol";
import { expect } from "chai";
import { edited } from "../protocol/support/edit.ts";
import {
  canonicalJsonVectors,
  documentVectors,
  fullDocument,
  identifierVectors,
} from "../protocol/support/vectors.ts";
import { helper, helperError } from "./support/helpers.ts";

const LIMIT = 1 << 20;

describe("AgreementVerifier's documents, on the protocol's vectors", () => {
  describe("canonical JSON", () => {
    it("accepts exactly the canonical form of every accepted text", async () => {
      for (const { name, input, canonical, sha256 } of canonicalJsonVectors.accepted) {
        const [parsed] = await helper("parse_canonical", [canonical, LIMIT, "document"]);
        expect(parsed, name).to.deep.equal(JSON.parse(canonical));
        expect(await helper("sha256_hex", [Buffer.from(canonical)]), name).to.deep.equal([sha256]);
        if (input !== canonical) {
          expect(await helperError("parse_canonical", input, LIMIT, "document"), name).to.match(
            /^\[EXPECTED\] document is not (strict JSON|in canonical form)/,
          );
        }
      }
    });

    it("refuses every refused text", async () => {
      for (const { name, input } of canonicalJsonVectors.refused) {
        // Bytes that are no UTF-8 and lone surrogates cannot even be calldata.
        if (input?.isWellFormed() === true) {
          expect(await helperError("parse_canonical", input, LIMIT, "document"), name).to.match(
            /^\[EXPECTED\] document /,
          );
        }
      }
    });

    it("refuses a document beyond its limit, and one of hostile depth", async () => {
      expect(await helperError("parse_canonical", `"${"é".repeat(50)}"`, 101, "document")).to.equal(
        "[EXPECTED] document has 102 bytes; at most 101 are allowed",
      );
      for (const text of [
        "[".repeat(200_000),
        '{"a":'.repeat(100_000),
        `${"[".repeat(65)}${"]".repeat(65)}`,
      ]) {
        expect(await helperError("parse_canonical", text, LIMIT, "document")).to.match(
          /nests deeper than 64/,
        );
      }
    });

    it("refuses unterminated text quickly", async () => {
      const started = performance.now();
      expect(await helperError("parse_canonical", '"\\"'.repeat(150_000), LIMIT, "document")).to.match(
        /not strict JSON/,
      );
      expect(performance.now() - started).to.be.lessThan(5000);
    });
  });

  it("gives the same adjudication keys", async () => {
    for (const {
      chainId,
      escrow,
      agreementId,
      agreementHash,
      submissionHash,
      adjudicationKey,
    } of identifierVectors.adjudicationKeys) {
      const args = [chainId, escrow, agreementId, agreementHash, submissionHash];
      expect(await helper("adjudication_key", args)).to.deep.equal([adjudicationKey]);
    }
  });

  const readers = { agreement: "read_agreement", submission: "read_submission" } as const;
  for (const format of ["agreement", "submission"] as const) {
    const id = (text: string): string[] =>
      format === "submission" ? [(JSON.parse(text) as { agreementId: string }).agreementId] : [];

    it(`accepts every valid ${format}`, async () => {
      for (const { canonical, name } of documentVectors.accepted.filter((item) => item.format === format)) {
        const [value] = await helper(readers[format], [canonical, ...id(canonical)]);
        expect(value, name).to.deep.equal(JSON.parse(canonical));
      }
    });

    const full = fullDocument(format).canonical;
    for (const refused of documentVectors.refused.filter((item) => item.format === format)) {
      it(`refuses the ${format} ${refused.name}`, async () => {
        const text = canonicalize(edited(full, refused.edits));
        expect(await helperError(readers[format], text, ...id(full))).to.match(
          /^\[EXPECTED\] (agreement|submission)/,
        );
      });
    }
  }

  it("refuses a submission for another agreement", async () => {
    const { canonical } = fullDocument("submission");
    expect(await helperError("read_submission", canonical, `0x${"00".repeat(32)}`)).to.equal(
      "[EXPECTED] submission.agreementId: is another agreement's",
    );
  });
});
