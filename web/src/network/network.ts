import {
  createChain,
  createOperator,
  gatewaySource,
  operatorSource,
  type Chain,
  type Operator,
  type Source,
} from "@assay/evidence";
import { documentCid, findEvmNetwork, type Profile } from "@assay/protocol";
import { createQueryClient, type QueryClient } from "@assay/subgraph";
import { simulationInWords } from "./simulation.ts";

/** One network that the page works on, with everybody who can be asked about it. */
export interface Network {
  readonly profile: Profile;
  /** A name for people. */
  readonly label: string;
  /** The escrow's chain, through the node of the profile. */
  readonly chain: Chain;
  /** Index, then an operator, then the chain. */
  readonly index: QueryClient;
  /** Index and operator by themselves, for when the chain does not answer: nobody checks what they say. */
  readonly witnesses: QueryClient;
  readonly operators: readonly Operator[];
  /** Where documents are looked for, in this order. */
  readonly sources: readonly Source[];
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

/** Opens a profile. Nothing is asked yet. */
export function openNetwork(profile: Profile): Network {
  const { evm, quorum, adjudication, operators, gateways, index } = profile;
  const chain = createChain(evm.rpcUrl);
  const [operatorUrl] = operators;
  const places = {
    deployment: {
      chainId: evm.chainId,
      escrow: evm.escrow,
      quorum: quorum?.address ?? evm.escrow,
      startBlock: evm.startBlock,
    },
    ...(index === undefined ? {} : { graphUrl: index }),
    ...(operatorUrl === undefined ? {} : { operatorUrl }),
  };
  return {
    profile,
    label: LABELS[profile.name] ?? profile.name,
    chain,
    index: createQueryClient({ ...places, rpc: (method, params) => chain.rpc.send(method, params) }),
    witnesses: createQueryClient(places),
    operators: operators.map(createOperator),
    sources: [
      ...operators.map(operatorSource),
      ...gateways.map((url) => gatewaySource(url, (hash) => documentCid(hash))),
    ],
    simulated: {
      chain: findEvmNetwork(evm.chainId)?.simulated === true,
      judge: adjudication === undefined ? null : simulationInWords(adjudication.network),
    },
  };
}
