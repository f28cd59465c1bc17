import { Option, type Command } from "commander";
import type { Places, Source } from "@assay/evidence";
import type { Address } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { openSources } from "../sources/open-sources.ts";
import { evmOptions, networkOption, profileOf, type NetworkOptions } from "./network.ts";
import { listValue, urlValue } from "./values.ts";

/** What {@link addPlaces} adds to a command. */
export interface PlaceOptions extends Pick<
  NetworkOptions,
  "network" | "rpcUrl" | "chainId" | "escrow" | "fromBlock"
> {
  readonly genlayerRpcUrl?: string;
  readonly source?: string[];
}

/** Adds the options that say where public facts are read. Each has an environment variable; a flag goes before it. */
export function addPlaces(command: Command): Command {
  const options = [
    networkOption(),
    ...evmOptions(),
    new Option(
      "--genlayer-rpc-url <url>",
      "node of the judge's GenLayer network (default: the network's public one)",
    )
      .env("ASSAY_GENLAYER_RPC_URL")
      .argParser(urlValue),
    new Option(
      "--source <place>",
      "where documents may be had: an operator's URL, an IPFS gateway's URL ending in /ipfs, or a folder; repeatable",
    )
      .env("ASSAY_SOURCES")
      .argParser(listValue),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/**
 * The places that options and the network's profile name.
 *
 * @param known what does not have to be given, because something else says it; it goes before the profile.
 * @throws UsageError naming the option that is missing.
 */
export function placesOf(
  options: PlaceOptions,
  known: { readonly escrow?: Address; readonly chainId?: number; readonly sources?: readonly Source[] } = {},
): Places {
  const profile = profileOf(options);
  const rpcUrl = options.rpcUrl ?? profile?.evm.rpcUrl;
  const escrow = options.escrow ?? known.escrow ?? profile?.evm.escrow;
  if (rpcUrl === undefined)
    throw new UsageError(
      "no EVM node was given",
      "Use --rpc-url or set ASSAY_EVM_RPC_URL, or name a network with --network.",
    );
  if (escrow === undefined)
    throw new UsageError(
      "no escrow was given",
      "Use --escrow or set ASSAY_ESCROW to the AgreementEscrow's address, or name a network with --network.",
    );
  return {
    rpcUrl,
    chainId: options.chainId ?? known.chainId ?? profile?.evm.chainId ?? null,
    escrow,
    fromBlock: options.fromBlock ?? profile?.evm.startBlock ?? 0,
    genlayerRpcUrl: options.genlayerRpcUrl ?? profile?.genLayerRpcUrl ?? null,
    sources: [
      ...(known.sources ?? []),
      ...openSources(options.source ?? [...(profile?.operators ?? []), ...(profile?.gateways ?? [])]),
    ],
  };
}
