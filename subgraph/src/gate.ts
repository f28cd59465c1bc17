import { ExecutionProven } from "../generated/ExecutionProofGate/IExecutionProofGate";
import { ExecutionProof } from "../generated/schema";
import { isIndexed } from "./entities/escrow";
import { logId } from "./ids";

export function handleExecutionProven(event: ExecutionProven): void {
  const proof = new ExecutionProof(logId(event));
  proof.gate = event.address;
  proof.escrow = event.params.escrow;
  proof.agreementId = event.params.agreementId;
  // Anybody can name any contract as the escrow, under any id.
  if (isIndexed(event.params.escrow)) proof.agreement = event.params.agreementId;
  proof.recorder = event.params.recorder;
  proof.committedRoot = event.params.committedRoot;
  proof.terminal = event.params.terminal;
  proof.steps = event.params.steps;
  proof.verdictHash = event.params.verdictHash;
  proof.transactionHash = event.transaction.hash;
  proof.logIndex = event.logIndex.toI32();
  proof.blockNumber = event.block.number;
  proof.timestamp = event.block.timestamp;
  proof.save();
}
