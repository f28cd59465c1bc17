import type { erc8183EvaluatorAbi } from "../abi/erc8183-evaluator.ts";
import type { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import type { ErrorName, Phrase } from "./words.ts";

/** Words for the errors that the evaluator of jobs does not share with the quorum; the compiler asks for each. */
export const EVALUATOR_PHRASES: Readonly<
  Record<Exclude<ErrorName<typeof erc8183EvaluatorAbi>, ErrorName<typeof verdictQuorumAbi>>, Phrase>
> = {
  JobMismatch: ({ jobKey, expected }) => ({
    message: `The certificate is about job ${String(jobKey)}; the job named beside it is ${String(expected)}.`,
    hint: "Deliver the certificate together with the contract and the number of its own job.",
  }),
};
