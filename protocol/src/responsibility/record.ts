import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import { assessmentDigest, responsibilityRecordDigest } from "./digests.ts";
import type { JointPlan } from "./joint.ts";
import type { Role } from "./role.ts";
import type { ResponsibilityVerdict } from "./workflow.ts";

/** A record as the contract's view `get_responsibility_record` returns it. */
export interface ResponsibilityRecord {
  readonly workflowKey: Hex;
  readonly workflowDigest: Hex;
  readonly assessmentDigest: Hex;
  readonly recordDigest: Hex;
  /** Counted up by the contract over all its records, from 1. */
  readonly sequence: number;
  readonly verdict: ResponsibilityVerdict;
  /** The sender of the assessing transaction. */
  readonly assessor: Address;
}

/** The two agents' outputs. */
export type Outputs = Readonly<Record<Role, string>>;

/** A member of a record that is not what follows from the agreement and the two submissions. */
export interface RecordFault {
  readonly member: keyof ResponsibilityRecord;
  readonly expected: string;
  readonly actual: string;
}

/** Everything about a stored record that does not follow from the joint agreement and these very outputs. */
export function responsibilityFaults(
  record: ResponsibilityRecord,
  { place, workflow, workflowDigest }: JointPlan,
  outputs: Outputs,
): readonly RecordFault[] {
  const assessed = assessmentDigest({
    workflowKey: place.workflowKey,
    workflowDigest,
    outputA: outputs.A,
    outputB: outputs.B,
  });
  const expected = {
    workflowKey: place.workflowKey,
    workflowDigest,
    assessmentDigest: assessed,
    recordDigest: responsibilityRecordDigest({ ...record, assessmentDigest: assessed }),
  };
  const faults: RecordFault[] = Object.entries(expected).flatMap(([name, value]) => {
    const member = name as keyof typeof expected;
    return record[member] === value ? [] : [{ member, expected: value, actual: record[member] }];
  });
  return workflow.assessors.includes(record.assessor)
    ? faults
    : [...faults, { member: "assessor", expected: workflow.assessors.join(" or "), actual: record.assessor }];
}
