import { findEvmNetwork } from "@assay/protocol";
import { simulationInWords } from "./simulation.ts";

/** What the frame around a page says of a network. */
export interface Outline {
  readonly name: string;
  /** A name for people. */
  readonly label: string;
  /** What of it stands in for something real. */
  readonly simulated: Simulated;
}

/** What a network's parts are instead of the real thing. */
export interface Simulated {
  /** The money is worth nothing: the chain runs on one machine. */
  readonly chain: boolean;
  /** In words; null when the judge is the real thing. */
  readonly judge: string | null;
}

const LABELS: Readonly<Record<string, string>> = {
  localnet: "Localnet",
  base: "Base",
  baseSepolia: "Base Sepolia",
};

/** The outline of a network, by its name, the escrow's chain and the judge's network. */
export function outlineOf(name: string, chainId: number, judgeNetwork: string | undefined): Outline {
  return {
    name,
    label: LABELS[name] ?? name,
    simulated: {
      chain: findEvmNetwork(chainId)?.simulated === true,
      judge: judgeNetwork === undefined ? null : simulationInWords(judgeNetwork),
    },
  };
}

/**
 * Reads no more of a configuration than the outlines, so that the frame stands before the code is there that reads it
 * in full (`openNetworks`, which also says what is wrong with one).
 *
 * @returns none when the text is no configuration.
 */
export function outlinesIn(configuration: string): readonly Outline[] {
  try {
    const { networks } = JSON.parse(configuration) as {
      networks: { name: string; evm: { chainId: number }; adjudication?: { network: string } }[];
    };
    return networks.map(({ name, evm, adjudication }) => outlineOf(name, evm.chainId, adjudication?.network));
  } catch {
    return [];
  }
}
