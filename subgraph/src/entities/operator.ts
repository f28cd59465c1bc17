import { Address, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Operator, Revocation } from "../../generated/schema";
import { logId } from "../ids";
import { Outcomes } from "../vocabulary";

export function loadOrCreateOperator(address: Bytes): Operator {
  const known = Operator.load(address);
  if (known !== null) return known;
  const operator = new Operator(address);
  operator.certificates = 0;
  operator.passes = 0;
  operator.fails = 0;
  operator.undetermined = 0;
  operator.withheld = 0;
  return operator;
}

/** Signers as references. */
export function operatorIds(signers: Address[]): Bytes[] {
  const ids: Bytes[] = [];
  for (let i = 0; i < signers.length; i++) ids.push(signers[i]);
  return ids;
}

/** The log of an operator that takes its key out of use. */
export function createRevocation(operator: Operator, event: ethereum.Event): Revocation {
  const revocation = new Revocation(logId(event));
  revocation.verifier = event.address;
  revocation.operator = operator.id;
  revocation.transactionHash = event.transaction.hash;
  revocation.logIndex = event.logIndex.toI32();
  revocation.blockNumber = event.block.number;
  revocation.timestamp = event.block.timestamp;
  return revocation;
}

/** Counts a certificate that the operator signed. */
export function countCertificate(address: Bytes, outcome: string, event: ethereum.Event): void {
  const operator = loadOrCreateOperator(address);
  operator.certificates += 1;
  if (outcome == Outcomes.PASS) operator.passes += 1;
  else if (outcome == Outcomes.FAIL) operator.fails += 1;
  else if (outcome == Outcomes.UNDETERMINED) operator.undetermined += 1;
  else operator.withheld += 1;
  if (operator.firstSignedAt === null) operator.firstSignedAt = event.block.timestamp;
  operator.lastSignedAt = event.block.timestamp;
  operator.save();
}
