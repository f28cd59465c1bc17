import { findOwnDocuments, readOwnChain, withOwnDocuments } from "@assay/evidence";
import type { Hex } from "@assay/protocol";
import type { Network } from "../network/network.ts";
import { viewOf, type AgreementView, type ChainEvent, type OperatorReading } from "./view.ts";

/**
 * Reads an agreement from the chain, its documents from wherever they are, and what operators say about it.
 *
 * @param seen events that were seen before, to find those that the chain took back.
 * @throws UnavailableError when the chain can't be asked; UnknownAgreementError when its escrow knows none.
 */
export async function readAgreement(
  network: Network,
  agreementId: Hex,
  seen: readonly ChainEvent[] = [],
): Promise<AgreementView> {
  const { chain, profile, sources } = network;
  const { escrow, chainId, startBlock } = profile.evm;
  const where = { agreementId, escrow, chainId, fromBlock: startBlock, proofs: false };
  const [bare, head, operators] = await Promise.all([
    readOwnChain(chain, where),
    chain.head(),
    Promise.all(network.operators.map((operator) => askOperator(operator, agreementId))),
  ]);
  const evidence = withOwnDocuments(bare, await findOwnDocuments(bare, sources));
  return viewOf(evidence, operators, head.timestamp, seen);
}

async function askOperator(
  operator: Network["operators"][number],
  agreementId: Hex,
): Promise<OperatorReading> {
  const { origin } = operator;
  try {
    return { origin, view: await operator.agreement(agreementId) };
  } catch (error) {
    return { origin, problem: error instanceof Error ? error.message : String(error) };
  }
}
