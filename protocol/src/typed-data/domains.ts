import { type Address, toAddress } from "../primitives/address.ts";
import { toChainId } from "../primitives/chain-id.ts";
import type { Domain } from "./typed-data.ts";

/** The one version of every domain. */
const VERSION = "1";

function domainOf(name: string, chainId: number, contract: Address): Domain {
  return { name, version: VERSION, chainId: toChainId(chainId), verifyingContract: toAddress(contract) };
}

/** Domain of everything that buyer and seller sign towards one escrow. */
export function escrowDomain(chainId: number, escrow: Address): Domain {
  return domainOf("Assay Escrow", chainId, escrow);
}

/** Domain of the certificates that operators sign towards one quorum contract. */
export function quorumDomain(chainId: number, quorum: Address): Domain {
  return domainOf("Assay Verdict", chainId, quorum);
}

/** Domain of the reports that third parties sign about deliveries under agreements of one escrow. */
export function reportDomain(chainId: number, escrow: Address): Domain {
  return domainOf("Assay Report", chainId, escrow);
}

/** Domain of what agents sign towards one responsibility contract; the chain is GenLayer's. */
export function responsibilityDomain(chainId: number, contract: Address): Domain {
  return domainOf("Assay Responsibility", chainId, contract);
}

/** Domain of the finished walks that recorders sign for agreements of one escrow. */
export function executionDomain(chainId: number, escrow: Address): Domain {
  return domainOf("Assay Execution", chainId, escrow);
}
