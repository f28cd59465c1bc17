import {
  createChain,
  createOperator,
  gatewaySource,
  operatorSource,
  type Chain,
  type Operator,
  type Source,
} from "@assay/evidence";
import { documentCid, parseNetworks, type Profile } from "@assay/protocol";
import { createQueryClient, type QueryClient } from "@assay/subgraph";
import { ConfigurationError } from "./configuration.ts";
import { outlineOf, type Outline } from "./outline.ts";

/** One network that the page works on, with everybody who can be asked about it. */
export interface Network extends Outline {
  readonly profile: Profile;
  /** The escrow's chain, through the node of the profile. */
  readonly chain: Chain;
  /** Index, then an operator, then the chain. */
  readonly index: QueryClient;
  /** Index and operator by themselves, for when the chain does not answer: nobody checks what they say. */
  readonly witnesses: QueryClient;
  readonly operators: readonly Operator[];
  /** Where documents are looked for, in this order. */
  readonly sources: readonly Source[];
}

/**
 * Opens the networks of a configuration, the first of which is the default. Nothing is asked yet.
 *
 * @throws ConfigurationError when the text is no configuration.
 */
export function openNetworks(configuration: string): readonly [Network, ...Network[]] {
  try {
    const [first, ...others] = parseNetworks(configuration).map(openNetwork);
    if (first === undefined) throw new Error("it names none");
    return [first, ...others];
  } catch (error) {
    throw new ConfigurationError(error);
  }
}

function openNetwork(profile: Profile): Network {
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
    ...outlineOf(profile.name, evm.chainId, adjudication?.network),
    profile,
    chain,
    index: createQueryClient({ ...places, rpc: (method, params) => chain.rpc.send(method, params) }),
    witnesses: createQueryClient(places),
    operators: operators.map(createOperator),
    sources: [
      ...operators.map(operatorSource),
      ...gateways.map((url) => gatewaySource(url, (hash) => documentCid(hash))),
    ],
  };
}
