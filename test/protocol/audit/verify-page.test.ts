import { readFileSync } from "node:fs";
import { Interface, TypedDataEncoder, id as keccakOfText } from "ethers";
import { expect } from "chai";
import {
  AUDIT_STEPS,
  GATE_AUDIT_STEPS,
  TERMS_TYPES,
  VERDICT_TYPES,
  agreementEscrowAbi,
  documentCid,
  escrowDomain,
  openCase,
  parseBundle,
  quorumDomain,
  sha256,
  utf8Encode,
  verdictHash,
  verdictQuorumAbi,
  type TypedDataField,
} from "@assay/protocol";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

describe("docs/protocol/verify.md", () => {
  const page = read("docs/protocol/verify.md");
  const evidence = parseBundle(read("test/vectors/bundle.json"));
  const file = openCase(evidence);

  it("has no hash, address, selector or CID but those of the bundle among the vectors, recomputed", () => {
    const { chainId, escrow } = evidence.evm;
    const terms = file.terms!;
    const certificate = file.certificate;
    if (!("members" in certificate)) throw new Error("the bundle has a certificate");
    const typeOf = (name: string, fields: TypedDataField[]): string =>
      keccakOfText(`${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`);
    const escrowEvents = new Interface(agreementEscrowAbi);
    const known = [
      evidence.agreementId,
      escrow,
      typeOf("Terms", TERMS_TYPES.Terms),
      typeOf("Verdict", VERDICT_TYPES.Verdict),
      TypedDataEncoder.hashDomain(escrowDomain(chainId, escrow)),
      TypedDataEncoder.hashDomain(quorumDomain(chainId, terms.adjudicator)),
      ...["Funded", "Submitted", "Released", "Refunded", "Concluded"].map(
        (name) => escrowEvents.getEvent(name)!.topicHash,
      ),
      new Interface(verdictQuorumAbi).getFunction("deliverPacked")!.selector,
      // The EIP-712 prefix, and what ERC-1271 answers.
      ...["0x1901", "0x1626ba7e"],
      sha256(utf8Encode(evidence.documents.agreement!)),
      sha256(utf8Encode(evidence.documents.submission!)),
      documentCid(terms.agreementHash),
      terms.adjudicatorConfig,
      file.digest!,
      ...certificate.members,
      verdictHash(file.record!.document!),
      file.key!,
      sha256(utf8Encode(evidence.judge!.record!.record)),
      sha256(Buffer.from(evidence.judge!.code!, "base64")),
      ...evidence.evm.blocks.map(({ hash }) => hash),
    ].map((value) => value.toLowerCase());
    const shown = [...page.matchAll(/0x[0-9a-fA-F]+|bafkrei\w+/g)].map(([value]) => value.toLowerCase());
    expect(shown.filter((value) => !known.includes(value))).to.deep.equal([]);
    expect(known.filter((value) => !shown.includes(value))).to.deep.equal([]);
  });

  it("says how long the packed certificate and the agreement are", () => {
    const { input } = evidence.evm.transactions[2]!;
    expect(page).to.contain(`${Number(`0x${input.slice(2 + 72, 2 + 136)}`)} packed bytes`);
    expect(page).to.contain(`(${utf8Encode(evidence.documents.agreement!).length} bytes)`);
  });
});

describe("protocol/src/audit/README.md", () => {
  it("lists every step in order, as it calls itself", () => {
    const rows = AUDIT_STEPS.map(({ id, title, basis }) => `| \`${id}\` | ${title} | ${basis} |`);
    expect(read("protocol/src/audit/README.md")).to.contain(rows.join("\n"));
  });

  it("lists every step of a walk that a gate pays for", () => {
    const own = GATE_AUDIT_STEPS.filter(({ id }) => !AUDIT_STEPS.some((step) => step.id === id));
    const rows = own.map(({ id, title, basis }) => `| \`${id}\` | ${title} | ${basis} |`);
    expect(rows.length).to.equal(8);
    expect(read("protocol/src/audit/README.md")).to.contain(rows.join("\n"));
  });
});
