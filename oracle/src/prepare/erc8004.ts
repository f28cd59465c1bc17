import { Interface } from "ethers";
import { z } from "@hono/zod-openapi";
import { OUTCOME_CODES, type Hex, type Outcome } from "@assay/protocol";
import { addressIn, hashIn, uintIn } from "../answers/schemas/values.ts";
import type { Desk, SettledVerdict } from "./desk.ts";
import { PrepareError } from "./errors.ts";
import { operation } from "./operation.ts";
import { sendStep } from "./step.ts";

/** The functions of ERC-8004's registries that write feedback and validations. */
export const erc8004Abi = new Interface([
  "function giveFeedback(uint256 agentId, int128 value, uint8 valueDecimals, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)",
  "function validationRequest(address validatorAddress, uint256 agentId, string requestURI, bytes32 requestHash)",
  "function validationResponse(bytes32 requestHash, uint8 response, string responseURI, bytes32 responseHash, string tag)",
]);

/** What an outcome says about the seller's work, 0 to 100. Only a judged delivery says anything. */
export const ERC8004_SCORES: Readonly<Partial<Record<Outcome, number>>> = { PASS: 100, FAIL: 0, WITHHELD: 0 };

const TAG = "assay";
const NOTE = "Outside the money path: nothing in Assay reads these registries, and nobody has to post.";

const common = {
  agreementId: hashIn,
  registry: addressIn.openapi({
    type: "string",
    description: "The ERC-8004 registry's contract on this chain.",
  }),
  from: addressIn.openapi({ type: "string", description: "Who will send it." }),
};
const agentId = uintIn.openapi({
  type: "string",
  description: "The seller's id in the ERC-8004 identity registry.",
});

/** @throws PrepareError `not_settled` unless a verdict about the seller's work ended the agreement. */
async function settledOf(desk: Desk, id: Hex): Promise<SettledVerdict & { readonly score: number }> {
  const settled = await desk.settledVerdict(id);
  const score = settled === null ? undefined : ERC8004_SCORES[settled.record.outcome];
  if (settled === null || score === undefined)
    throw new PrepareError(
      "not_settled",
      settled === null
        ? "No verdict has settled that agreement, as far as this operator's final blocks go."
        : `The verdict is ${settled.record.outcome}, which says nothing about the work.`,
      "Post after the agreement was settled by PASS, FAIL or WITHHELD.",
    );
  return { ...settled, score };
}

export const giveFeedback = operation({
  name: "giveFeedback",
  title: "Post ERC-8004 feedback",
  summary:
    "After settlement, the buyer (or anyone but the agent itself) posts the verdict as ERC-8004 feedback about the seller's agent; feedbackHash is the verdict hash.",
  request: z.strictObject({ ...common, agentId }),
  async plan(desk, request) {
    const { record, verdictHash, uri, score } = await settledOf(desk, request.agreementId);
    const data = erc8004Abi.encodeFunctionData("giveFeedback", [
      ...[request.agentId, score, 0, TAG, record.outcome.toLowerCase(), "", uri, verdictHash],
    ]) as Hex;
    const step = sendStep({
      from: request.from,
      to: request.registry,
      data,
      function: "giveFeedback(uint256,int128,uint8,string,string,string,string,bytes32)",
      description: `Posts ${score} of 100 for the verdict ${record.outcome} about agent ${request.agentId}.`,
    });
    return { agreementId: request.agreementId, steps: [step], notes: [NOTE] };
  },
});

export const validationRequest = operation({
  name: "validationRequest",
  title: "Ask for an ERC-8004 validation",
  summary:
    "The seller's agent (its owner or operator) names a validator for the settled agreement; requestHash is the agreement's id.",
  request: z.strictObject({
    ...common,
    agentId,
    validator: addressIn.openapi({ type: "string", description: "Who will respond." }),
  }),
  async plan(desk, request) {
    const { uri } = await settledOf(desk, request.agreementId);
    const data = erc8004Abi.encodeFunctionData("validationRequest", [
      ...[request.validator, request.agentId, uri, request.agreementId],
    ]) as Hex;
    const step = sendStep({
      from: request.from,
      to: request.registry,
      data,
      function: "validationRequest(address,uint256,string,bytes32)",
      description: `Asks ${request.validator} to validate the work of agent ${request.agentId}.`,
    });
    return { agreementId: request.agreementId, steps: [step], notes: [NOTE] };
  },
});

export const validationResponse = operation({
  name: "validationResponse",
  title: "Post an ERC-8004 validation",
  summary:
    "The validator that was named responds with the verdict: 100 for PASS, 0 for FAIL and WITHHELD; responseHash is the verdict hash.",
  request: z.strictObject(common),
  async plan(desk, request) {
    const { record, verdictHash, uri, score } = await settledOf(desk, request.agreementId);
    const data = erc8004Abi.encodeFunctionData("validationResponse", [
      ...[request.agreementId, score, uri, verdictHash, TAG],
    ]) as Hex;
    const step = sendStep({
      from: request.from,
      to: request.registry,
      data,
      function: "validationResponse(bytes32,uint8,string,bytes32,string)",
      description: `Responds ${score} of 100 for the verdict ${record.outcome} (certificate code ${OUTCOME_CODES[record.outcome]}).`,
    });
    return { agreementId: request.agreementId, steps: [step], notes: [NOTE] };
  },
});
