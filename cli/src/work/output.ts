import {
  isJoint,
  isSameAddress,
  jointPlanOf,
  printable,
  roleIn,
  WORKFLOW_LIMITS,
  workflowOutputTypedData,
  type Agreement,
  type Hex,
  type Submission,
  type TypedData,
} from "@assay/protocol";
import { readBounded } from "../deal/deal-file.ts";
import type { OpenedDeal } from "../deal/open-deal.ts";
import { RefusedError, UsageError } from "../errors.ts";
import type { Wallet } from "../wallet/signer.ts";

/** An output that its agent has not signed yet. */
export interface UnsignedOutput {
  readonly text: string;
  /** `WorkflowOutput`, in the domain of GenLayer's chain. */
  readonly typedData: TypedData;
}

/**
 * Reads what an agent delivers into the workflow of a joint agreement, byte for byte.
 *
 * @throws UsageError when no workflow would judge it, or the contract would refuse it.
 */
export async function readOutput(
  path: string,
  { agreementId }: Pick<OpenedDeal, "agreementId">,
  agreement: Agreement,
): Promise<UnsignedOutput> {
  if (!isJoint(agreement))
    throw new UsageError(
      "no workflow decides this agreement, so nobody would judge an output",
      "Leave --output out and name the folder with the delivery.",
    );
  const plan = jointPlanOf(agreement);
  if (roleIn(plan, agreementId) === null)
    throw new UsageError(
      "this agreement's terms are neither side of its joint document, so no operator has it judged",
      "Deliver to the agreement that the document makes: `assay agreement check` tells both ids.",
    );
  const text = decode(path, await readBounded(path, WORKFLOW_LIMITS.outputBytes));
  return { text, typedData: workflowOutputTypedData(plan.place, text) };
}

/**
 * The output with its agent's signature: the one that was handed in, else the wallet's own.
 *
 * @throws RefusedError when the wallet is not the agent's.
 */
export async function signOutput(
  { text, typedData }: UnsignedOutput,
  { terms }: Pick<OpenedDeal, "terms">,
  given: Hex | undefined,
  wallet: Wallet | null,
): Promise<NonNullable<Submission["output"]>> {
  if (given !== undefined) return { text, signature: given };
  if (wallet === null || !isSameAddress(wallet.address, terms.seller))
    throw new RefusedError(
      "signer_unexpected",
      `only the agent ${terms.seller} can sign its output${wallet === null ? "" : `, and wallet ${wallet.name} is ${wallet.address}`}`,
      "Use that account's wallet, or let it sign elsewhere: --output-typed-data prints what to sign, --output-signature takes it back.",
    );
  return { text, signature: await (await wallet.unlock()).signTypedData(typedData) };
}

function decode(path: string, bytes: Uint8Array): string {
  if (bytes.length === 0)
    throw new UsageError(`${printable(path)} is empty`, "An output has at least one byte.");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${printable(path)} is no UTF-8 text`, "An output is one text.", { cause: error });
  }
}
