import { Interface } from "ethers";
import { erc8183EvaluatorAbi, type Hex } from "@assay/protocol";
import type { OperatorConfig } from "../config/index.ts";
import { ChainIdentityError, RpcResponseError, type EvmChain } from "../rpc/index.ts";

export const evaluatorInterface = new Interface(erc8183EvaluatorAbi);

/**
 * Makes sure that the configured evaluator is this set's: it would refuse every certificate of another one.
 *
 * @throws ChainIdentityError when it is not, or is no Erc8183Evaluator.
 */
export async function verifyEvaluator(
  chain: Pick<EvmChain, "call">,
  { jobs, members }: Pick<OperatorConfig, "jobs" | "members">,
): Promise<void> {
  if (jobs === null) return;
  const found = await quorumConfigOf(chain, jobs.evaluator);
  if (found !== members.configHash)
    throw new ChainIdentityError(
      `the evaluator at ASSAY_ERC8183_EVALUATOR ${jobs.evaluator} is of set ${found ?? "none"}, ` +
        `ASSAY_QUORUM_MEMBERS and its threshold are ${members.configHash}`,
    );
}

async function quorumConfigOf(chain: Pick<EvmChain, "call">, to: Hex): Promise<string | null> {
  const data = evaluatorInterface.encodeFunctionData("quorumConfig") as Hex;
  try {
    const answer = await chain.call({ to, data });
    return /^0x[0-9a-f]{64}$/.test(answer) ? answer : null;
  } catch (error) {
    if (error instanceof RpcResponseError && error.data !== null) return null;
    throw error;
  }
}
