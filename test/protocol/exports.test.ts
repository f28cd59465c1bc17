import { readFileSync, readdirSync } from "node:fs";
import { expect } from "chai";
import * as protocol from "@assay/protocol";

const source = new URL("../../protocol/src/", import.meta.url);

describe("@assay/protocol", () => {
  it("exports what the other parts build on", () => {
    expect(protocol).to.include.keys(
      ...[
        "canonicalize",
        "parseStrict",
        "CanonicalJsonError",
        "sha256",
        "keccak256",
        "documentCid",
        "documentHash",
      ],
      ...["parseAgreement", "parseSubmission", "parseAdjudication", "parseVerdictRecord", "encodeDocument"],
      ...[
        "agreementSchema",
        "submissionSchema",
        "adjudicationRecordSchema",
        "verdictRecordSchema",
        "DocumentError",
      ],
      ...[
        "escrowDomain",
        "quorumDomain",
        "agreementIdOf",
        "validateTerms",
        "termsFromEvent",
        "toTermsStruct",
      ],
      ...[
        "acceptanceTypedData",
        "submissionTypedData",
        "settlementTypedData",
        "fundingAuthorizationTypedData",
      ],
      ...["adjudicatorConfigOf", "adjudicationKey", "buildVerdictRecord", "verdictHash", "verdictOf"],
      ...["verdictTypedData", "verdictDigest", "OUTCOME_CODES", "NETWORKS", "findNetwork"],
      ...["agreementEscrowAbi", "verdictQuorumAbi", "fiatTokenAbi"],
    );
  });

  it("does no I/O: no file imports more than ethers, zod and its siblings", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const imports = files.flatMap((name) =>
      [...readFileSync(new URL(name, source), "utf8").matchAll(/from "([^"]+)"/g)].map(
        ([, target]) => target,
      ),
    );
    expect(imports.length).to.be.greaterThan(0);
    expect(imports.filter((target) => !target?.startsWith("."))).to.satisfy((foreign: string[]) =>
      foreign.every((target) => target === "ethers" || target === "zod"),
    );
  });
});
