import { type Address, toAddress } from "../primitives/address.ts";
import { toChainId } from "../primitives/chain-id.ts";
import type { Domain } from "./typed-data.ts";

/** Domain of everything that buyer and seller sign towards one escrow. */
export function escrowDomain(chainId: number, escrow: Address): Domain {
  return {
    name: "Assay Escrow",
    version: "1",
    chainId: toChainId(chainId),
    verifyingContract: toAddress(escrow),
  };
}

/** Domain of the certificates that operators sign towards one quorum contract. */
export function quorumDomain(chainId: number, quorum: Address): Domain {
  return {
    name: "Assay Verdict",
    version: "1",
    chainId: toChainId(chainId),
    verifyingContract: toAddress(quorum),
  };
}

/** Domain of the reports that third parties sign about deliveries under agreements of one escrow. */
export function reportDomain(chainId: number, escrow: Address): Domain {
  return {
    name: "Assay Report",
    version: "1",
    chainId: toChainId(chainId),
    verifyingContract: toAddress(escrow),
  };
}

/** Domain of what agents sign towards one responsibility contract; the chain is GenLayer's. */
export function responsibilityDomain(chainId: number, contract: Address): Domain {
  return {
    name: "Assay Responsibility",
    version: "1",
    chainId: toChainId(chainId),
    verifyingContract: toAddress(contract),
  };
}

/** Domain of the finished walks that recorders sign for agreements of one escrow. */
export function executionDomain(chainId: number, escrow: Address): Domain {
  return {
    name: "Assay Execution",
    version: "1",
    chainId: toChainId(chainId),
    verifyingContract: toAddress(escrow),
  };
}
