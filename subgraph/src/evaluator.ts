import { Evaluated, OperatorRevoked } from "../generated/Erc8183Evaluator/IErc8183Evaluator";
import { createEvaluation } from "./entities/evaluation";
import { countCertificate, createRevocation, loadOrCreateOperator } from "./entities/operator";

export function handleEvaluated(event: Evaluated): void {
  const signers = event.params.signers;
  const evaluation = createEvaluation(event, signers);
  evaluation.save();
  for (let i = 0; i < signers.length; i++) countCertificate(signers[i], evaluation.outcome, event);
}

export function handleOperatorRevoked(event: OperatorRevoked): void {
  // The quorum goes on counting who revoked itself here, so `revokedAt` stays as it is.
  const operator = loadOrCreateOperator(event.params.operator);
  operator.save();
  createRevocation(operator, event).save();
}
