import { Address } from "@graphprotocol/graph-ts";
import { Evaluated } from "../../generated/Erc8183Evaluator/IErc8183Evaluator";
import { Evaluation } from "../../generated/schema";
import { logId } from "../ids";
import { Outcomes } from "../vocabulary";
import { operatorIds } from "./operator";

/** The evaluation of an event. */
export function createEvaluation(event: Evaluated, signers: Address[]): Evaluation {
  const evaluation = new Evaluation(logId(event));
  evaluation.evaluator = event.address;
  evaluation.commerce = event.params.commerce;
  evaluation.jobId = event.params.jobId;
  evaluation.outcome = Outcomes.ofCode(event.params.outcome);
  evaluation.deliverable = event.params.deliverable;
  evaluation.verdictHash = event.params.verdictHash;
  evaluation.judge = event.params.judge;
  evaluation.judgeTx = event.params.judgeTx;
  evaluation.signers = operatorIds(signers);
  evaluation.transactionHash = event.transaction.hash;
  evaluation.logIndex = event.logIndex.toI32();
  evaluation.blockNumber = event.block.number;
  evaluation.timestamp = event.block.timestamp;
  return evaluation;
}
