import { amountInWords, validateTerms, type Hex, type Terms } from "@assay/protocol";
import { RefusedError } from "../errors.ts";
import { escrowCall, readBalance } from "../escrow/contracts.ts";
import type { Session } from "../session.ts";
import { CallRevertedError } from "../transact/node.ts";
import { refusalOf } from "../transact/refusal.ts";

/**
 * Finds out, without any signature of the buyer's, whether the escrow would take terms and reward now.
 *
 * @throws RefusedError with everything that is wrong.
 */
export async function requireFundable(session: Session, terms: Terms, sellerSignature: Hex): Promise<void> {
  const { network, node, token, wording } = session;
  const [{ timestamp }, balance] = await Promise.all([
    node.head(),
    readBalance(node, token.address, terms.buyer),
  ]);
  const problems = validateTerms(terms, timestamp, { escrow: network.escrow, token: token.address });
  if (problems.length > 0)
    throw new RefusedError(
      "terms_refused",
      `the escrow would not take these terms: ${problems.map(({ message }) => message).join("; ")}`,
      `${problems[0]?.hint ?? ""} Then draw up the agreement again: the terms are its identity.`,
    );
  if (balance < terms.reward)
    throw new RefusedError(
      "balance_too_low",
      `the buyer ${terms.buyer} holds ${amountInWords(balance, wording)}, and the reward is ${amountInWords(terms.reward, wording)}`,
      `Send ${amountInWords(terms.reward - balance, wording)} more to it on this network, or agree on a smaller reward.`,
    );
  try {
    await node.call({
      from: terms.buyer,
      to: network.escrow,
      data: escrowCall("fund", terms, sellerSignature),
    });
  } catch (error) {
    // The allowance is what comes last in there, and what a signature makes unnecessary.
    if (error instanceof CallRevertedError && isAllowanceMissing(error)) return;
    throw refusalOf(error, "Fund the agreement", wording);
  }
}

const ALLOWANCE_MISSING = "ERC20: transfer amount exceeds allowance";

function isAllowanceMissing({ data, reason }: CallRevertedError): boolean {
  const hex = Buffer.from(ALLOWANCE_MISSING).toString("hex");
  return data.includes(hex) || reason.includes(ALLOWANCE_MISSING);
}
