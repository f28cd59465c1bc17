import { formatEther } from "ethers";
import { amountInWords } from "@assay/protocol";
import { readBalance, readCredit } from "../escrow/contracts.ts";
import type { Session } from "../session.ts";
import type { Wallet } from "../wallet/signer.ts";
import { ok, warn, type DoctorFinding } from "./finding.ts";

/** Gas that the dearest operation takes. */
const GAS = 200_000n;

/** What the wallet's account has: gas, tokens, credits. */
export async function examineWallet(
  { node, network, token, wording }: Session,
  { name, address }: Wallet,
): Promise<DoctorFinding[]> {
  const [ether, { maxFeePerGas }, tokens, credit, hasCode] = await Promise.all([
    node.balance(address),
    node.fees(),
    readBalance(node, token.address, address),
    readCredit(node, network.escrow, address),
    node.hasCode(address),
  ]);
  const findings = [ok("wallet", `${name} is ${address}`)];
  findings.push(
    ether >= GAS * maxFeePerGas
      ? ok("gas", `${formatEther(ether)} of the network's own coin`)
      : warn(
          "gas",
          `${formatEther(ether)} of the network's own coin does not pay for a transaction`,
          "Send it some, or only sign and let another wallet send (--typed-data, --signature).",
        ),
    tokens > 0n
      ? ok("money", amountInWords(tokens, wording))
      : warn(
          "money",
          `no ${token.symbol}`,
          `To be a buyer, send ${token.symbol} to ${address} on this network; a seller needs none.`,
        ),
  );
  if (credit > 0n)
    findings.push(
      warn(
        "credit",
        `${amountInWords(credit, wording)} wait to be fetched`,
        "`assay withdraw --to <address>` fetches them.",
      ),
    );
  if (hasCode)
    findings.push(
      warn(
        "wallet",
        "the account signs through code of its own",
        "Fund with --method approve; payment by signature may not work for it.",
      ),
    );
  return findings;
}
