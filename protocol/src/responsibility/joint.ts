import type { Agreement } from "../documents/agreement.ts";
import { encodeDocument } from "../documents/encode.ts";
import { documentHash } from "../documents/hash.ts";
import type { Joint, JointSide } from "../documents/joint.ts";
import type { Submission } from "../documents/submission.ts";
import type { Address } from "../primitives/address.ts";
import { bytesOf, type Hex, toHash } from "../primitives/hex.ts";
import { lengthPrefixed } from "../primitives/length-prefixed.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { agreementIdOf } from "../terms/agreement-id.ts";
import type { Terms } from "../terms/terms.ts";
import { isEcdsaSignedBy } from "../typed-data/ecdsa.ts";
import { typedDataDigest } from "../typed-data/typed-data.ts";
import { workflowDigest, workflowKey } from "./digests.ts";
import type { Role } from "./role.ts";
import { type WorkflowPlace, workflowOutputTypedData } from "./typed-data.ts";
import type { Workflow } from "./workflow.ts";

/** An agreement that a workflow decides. */
export type JointAgreement = Agreement & { readonly joint: Joint };

/** One of the two escrow agreements that a joint document makes. */
export interface JointAgreementSide {
  readonly role: Role;
  readonly terms: Terms;
  readonly agreementId: Hex;
}

/** Everything that follows from a joint agreement's document. */
export interface JointPlan {
  readonly workflow: Workflow;
  readonly place: WorkflowPlace;
  readonly workflowDigest: Hex;
  readonly sides: Readonly<Record<Role, JointAgreementSide>>;
}

/** Whether a workflow decides the agreement. */
export function isJoint(agreement: Agreement): agreement is JointAgreement {
  return agreement.joint !== undefined;
}

/**
 * The id of a joint agreement's workflow: the SHA-256, in hex without 0x, of everything about the money of both sides.
 * Both agents' consent to the workflow thereby covers it, and no other pair of agreements can name the same workflow.
 */
export function jointWorkflowId(joint: Joint): string {
  const address = (value: Address): Uint8Array => utf8Encode(value.toLowerCase());
  const decimal = (value: number): Uint8Array => utf8Encode(String(value));
  const side = ({ buyer, seller, reward, noVerdictSellerBps, salt }: JointSide): Uint8Array[] => [
    address(buyer),
    address(seller),
    utf8Encode(reward),
    decimal(noVerdictSellerBps),
    utf8Encode(salt),
  ];
  return sha256(
    lengthPrefixed([
      utf8Encode("assay/joint/1"),
      decimal(joint.chainId),
      address(joint.escrow),
      address(joint.adjudicator),
      bytesOf(joint.adjudicatorConfig),
      decimal(joint.deliverBy),
      decimal(joint.adjudicateBy),
      ...side(joint.a),
      ...side(joint.b),
    ]),
  ).slice(2);
}

/** The workflow that decides a joint agreement. */
export function jointWorkflow({ task, adjudication, joint }: JointAgreement): Workflow {
  return {
    creator: joint.creator,
    workflowId: jointWorkflowId(joint),
    agentA: joint.a.seller,
    agentB: joint.b.seller,
    taskSpec: task,
    agentAObligation: joint.a.obligation,
    agentBObligation: joint.b.obligation,
    acceptanceCriteria: joint.acceptanceCriteria,
    assessors: adjudication.relayers,
    patience: joint.patience,
  };
}

/**
 * What follows from a joint agreement's document: the workflow with its digest, and the two escrow agreements.
 *
 * @throws DocumentError when the agreement is not valid.
 */
export function jointPlanOf(agreement: JointAgreement): JointPlan {
  const { joint, adjudication } = agreement;
  const workflow = jointWorkflow(agreement);
  const agreementHash = documentHash(encodeDocument(agreement));
  const side = (role: Role, { buyer, seller, reward, noVerdictSellerBps, salt }: JointSide) => {
    const terms: Terms = {
      buyer,
      seller,
      reward: BigInt(reward),
      agreementHash,
      adjudicator: joint.adjudicator,
      adjudicatorConfig: joint.adjudicatorConfig,
      deliverBy: joint.deliverBy,
      adjudicateBy: joint.adjudicateBy,
      noVerdictSellerBps,
      salt: BigInt(salt),
    };
    return { role, terms, agreementId: agreementIdOf(terms, joint.chainId, joint.escrow) };
  };
  return {
    workflow,
    place: {
      chainId: adjudication.chainId,
      contract: adjudication.contract,
      workflowKey: workflowKey(workflow),
    },
    workflowDigest: workflowDigest(workflow),
    sides: { A: side("A", joint.a), B: side("B", joint.b) },
  };
}

/** Which side of the document an agreement is; null when it is neither, whoever funded it. */
export function roleIn({ sides }: JointPlan, agreementId: Hex): Role | null {
  if (sides.A.agreementId === toHash(agreementId)) return "A";
  return sides.B.agreementId === toHash(agreementId) ? "B" : null;
}

/**
 * Whether a submission is one under this agreement: under a joint one it holds the agent's output with the agent's
 * signature, under any other it holds none.
 */
export function fitsAgreement(agreement: Agreement, submission: Submission): boolean {
  const { output } = submission;
  if (!isJoint(agreement)) return output === undefined;
  if (output === undefined) return false;
  const plan = jointPlanOf(agreement);
  const role = roleIn(plan, submission.agreementId);
  if (role === null) return false;
  const digest = typedDataDigest(workflowOutputTypedData(plan.place, output.text));
  return isEcdsaSignedBy(plan.sides[role].terms.seller, digest, output.signature);
}
