import { Wallet } from "ethers";
import {
  type Address,
  type Agreement,
  type JointAgreement,
  type Role,
  type Submission,
  assessmentDigest,
  documentHash,
  encodeDocument,
  jointPlanOf,
  responsibilityRecordDigest,
  toAddress,
  workflowOutputTypedData,
  type Hex,
  type ResponsibilityRecord,
  type ResponsibilityVerdict,
} from "@assay/protocol";

/** The two agents. */
export const AGENTS: Readonly<Record<Role, Wallet>> = {
  A: new Wallet(`0x${"a7".repeat(32)}`),
  B: new Wallet(`0x${"b7".repeat(32)}`),
};
const addressAt = (byte: string): Address => toAddress(`0x${byte.repeat(20)}`);
export const ASSESSOR = addressAt("c7");
export const OUTPUTS: Readonly<Record<Role, string>> = {
  A: "Summary: all is well.",
  B: "Zusammenfassung: alles ist gut.",
};

/** An agreement that one workflow decides, with some members changed. */
export function jointAgreement(
  changes: Partial<JointAgreement["joint"]> = {},
  outer: Partial<Agreement> = {},
): JointAgreement {
  return {
    schema: "assay/agreement/1",
    title: "A report in two languages",
    task: "Publish a report in two languages.",
    requirements: [],
    evidenceRequired: [],
    adjudication: {
      network: "localnet",
      chainId: 61_127,
      consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
      contract: addressAt("d7"),
      codeHash: `0x${"e7".repeat(32)}`,
      relayers: [ASSESSOR],
      minValidators: 5,
      rounds: 2,
    },
    ...outer,
    joint: {
      chainId: 31_337,
      escrow: addressAt("17"),
      adjudicator: addressAt("27"),
      adjudicatorConfig: `0x${"37".repeat(32)}`,
      deliverBy: 1_800_001_000,
      adjudicateBy: 1_800_009_000,
      creator: addressAt("47"),
      acceptanceCriteria: "Both texts are complete.",
      patience: 1_000,
      a: {
        buyer: addressAt("57"),
        seller: AGENTS.A.address as Address,
        reward: "40000000",
        noVerdictSellerBps: 5_000,
        salt: "1",
        obligation: "Write the report; it has the line `Summary:`.",
      },
      b: {
        buyer: addressAt("67"),
        seller: AGENTS.B.address as Address,
        reward: "10000000",
        noVerdictSellerBps: 2_500,
        salt: "2",
        obligation: "Translate it; the translation has the line `Zusammenfassung:`.",
      },
      ...changes,
    },
  };
}

/** What an agent submits: its output, signed by itself or by whoever is given. */
export async function jointSubmission(
  agreement: JointAgreement,
  role: Role,
  changes: { readonly text?: string; readonly signer?: Wallet; readonly of?: JointAgreement } = {},
): Promise<Submission> {
  const { text = OUTPUTS[role], signer = AGENTS[role], of = agreement } = changes;
  const { domain, types, message } = workflowOutputTypedData(jointPlanOf(of).place, text);
  return {
    schema: "assay/submission/1",
    agreementId: jointPlanOf(agreement).sides[role].agreementId,
    summary: "",
    files: {},
    links: [],
    evidence: [],
    output: { text, signature: await signer.signTypedData(domain, types, message) },
  };
}

/** What the contract would store about the two outputs. */
export function storedRecord(
  agreement: JointAgreement,
  verdict: ResponsibilityVerdict,
  changes: Partial<ResponsibilityRecord> = {},
): ResponsibilityRecord {
  const { place, workflowDigest } = jointPlanOf(agreement);
  const assessed = assessmentDigest({
    workflowKey: place.workflowKey,
    workflowDigest,
    outputA: OUTPUTS.A,
    outputB: OUTPUTS.B,
  });
  return {
    workflowKey: place.workflowKey,
    workflowDigest,
    assessmentDigest: assessed,
    recordDigest: responsibilityRecordDigest({
      assessmentDigest: assessed,
      verdict,
      assessor: ASSESSOR,
      sequence: 7,
    }),
    sequence: 7,
    verdict,
    assessor: ASSESSOR,
    ...changes,
  };
}

export const hashOf = (document: Parameters<typeof encodeDocument>[0]): Hex =>
  documentHash(encodeDocument(document));
