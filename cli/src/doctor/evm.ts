import { findEvmNetwork, timeInWords, durationInWords } from "@assay/protocol";
import type { Session } from "../session.ts";
import { ok, warn, type DoctorFinding } from "./finding.ts";

/** A chain whose newest block is older than this has stopped, or the node lags behind. */
const STALE_SECONDS = 300;

/** The node, its chain, the escrow and its token. */
export async function examineEvm({ node, network, token }: Session): Promise<DoctorFinding[]> {
  const [head, finalHeight] = await Promise.all([node.head(), node.finalHeight()]);
  const known = findEvmNetwork(network.chainId);
  const age = Math.floor(Date.now() / 1_000) - head.timestamp;
  const findings = [
    ok(
      "evm",
      `chain ${network.chainId}${known === undefined ? "" : ` (${known.name}${known.simulated ? ", a stand-in on one machine" : ""})`}, block ${head.number} of ${timeInWords(head.timestamp)}`,
    ),
    ok(
      "escrow",
      `${network.escrow} holds ${token.symbol} (${token.name}, ${token.decimals} decimals) at ${token.address}`,
    ),
  ];
  if (age > STALE_SECONDS)
    findings.push(
      warn(
        "evm",
        `the newest block is ${durationInWords(age)} old`,
        "The node lags behind, or the chain has stopped; try another endpoint.",
      ),
    );
  if (finalHeight === null)
    findings.push(
      warn(
        "evm",
        "the node does not say which blocks are final",
        "Use an endpoint that knows the block tag `finalized`.",
      ),
    );
  if (known?.usdc !== undefined && known.usdc !== token.address)
    findings.push(
      warn(
        "escrow",
        `its token is not Circle's USDC, which is ${known.usdc} here`,
        "Be sure that this is the token that you mean.",
      ),
    );
  return findings;
}
