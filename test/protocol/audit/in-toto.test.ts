import { createHash } from "node:crypto";
import { expect } from "chai";
import {
  envelopeDigest,
  openEnvelope,
  sealEnvelope,
  statementOf,
  sha256,
  utf8Encode,
  type Evidence,
} from "@assay/protocol";
import { settledCase } from "./support/case.ts";

interface Statement {
  readonly _type: string;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: string;
}

describe("in-toto statements in DSSE envelopes", () => {
  let evidence: Evidence;
  let payload: Uint8Array;

  before(async () => {
    evidence = await settledCase();
    payload = statementOf(evidence, "PASS");
  });

  it("the subjects are the two documents by their SHA-256", () => {
    const statement = JSON.parse(Buffer.from(payload).toString("utf8")) as Statement;
    expect(statement._type).to.equal("https://in-toto.io/Statement/v1");
    expect(statement.predicateType).to.equal("urn:assay:verdict:1");
    const { agreement, submission } = evidence.documents;
    expect(statement.subject.map(({ digest }) => `0x${digest.sha256}`)).to.deep.equal([
      sha256(utf8Encode(agreement!)),
      sha256(utf8Encode(submission!)),
    ]);
  });

  it("what is signed is SHA-256 of DSSE's pre-authentication encoding", () => {
    const encoding = Buffer.concat([
      Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `),
      payload,
    ]);
    expect(envelopeDigest(payload)).to.equal(`0x${createHash("sha256").update(encoding).digest("hex")}`);
  });

  it("an envelope opens as the evidence that went in; without a signature it has no signer", () => {
    expect(openEnvelope(sealEnvelope(payload, []))).to.deep.equal({ evidence, signers: [] });
  });
});
