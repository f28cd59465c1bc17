import type { Address } from "@assay/protocol";
import type { Venue } from "../../../web/src/acts/venue.ts";

const address = (digit: string): Address => `0x${digit.repeat(40)}`;

export const BUYER: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const SELLER: Address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
/** A Unix time to draw agreements up at. */
export const NOW = 1_800_000_000;

/** A place for agreements that no chain knows. */
export const VENUE: Venue = {
  chainId: 31337,
  escrow: address("1"),
  token: { address: address("2"), name: "USD Coin", version: "2", symbol: "USDC", decimals: 6 },
  quorum: { address: address("3"), members: [address("4"), address("5"), address("6")], threshold: 2 },
  adjudication: {
    network: "localnet",
    chainId: 61127,
    consensusMain: address("7"),
    contract: address("8"),
    codeHash: `0x${"9".repeat(64)}`,
    relayers: ["0x90F79bf6EB2c4f870365E785982E1f101E93b906"],
    minValidators: 5,
    rounds: 3,
  },
};
