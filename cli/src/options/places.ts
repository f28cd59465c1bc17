import { Option, type Command } from "commander";
import type { Address } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import type { Places } from "../gather/gather.ts";
import { openSources } from "../sources/open-sources.ts";
import type { Source } from "../sources/source.ts";
import { addressValue, integerValue, listValue, urlValue } from "./values.ts";

/** What {@link addPlaces} adds to a command. */
export interface PlaceOptions {
  readonly rpcUrl?: string;
  readonly chainId?: number;
  readonly escrow?: Address;
  readonly fromBlock: number;
  readonly genlayerRpcUrl?: string;
  readonly source?: string[];
}

/** Adds the options that say where public facts are read. Each has an environment variable; a flag goes before it. */
export function addPlaces(command: Command): Command {
  return command
    .addOption(
      new Option("--rpc-url <url>", "node of the escrow's EVM chain")
        .env("ASSAY_EVM_RPC_URL")
        .argParser(urlValue),
    )
    .addOption(
      new Option("--chain-id <id>", "refuse a node of any other chain")
        .env("ASSAY_EVM_CHAIN_ID")
        .argParser(integerValue),
    )
    .addOption(
      new Option("--escrow <address>", "the AgreementEscrow").env("ASSAY_ESCROW").argParser(addressValue),
    )
    .addOption(
      new Option("--from-block <number>", "first block to search for the agreement")
        .env("ASSAY_START_BLOCK")
        .default(0)
        .argParser(integerValue),
    )
    .addOption(
      new Option(
        "--genlayer-rpc-url <url>",
        "node of the judge's GenLayer network (default: the network's public one)",
      )
        .env("ASSAY_GENLAYER_RPC_URL")
        .argParser(urlValue),
    )
    .addOption(
      new Option(
        "--source <place>",
        "where documents may be had: an operator's URL, an IPFS gateway's URL ending in /ipfs, or a folder; repeatable",
      )
        .env("ASSAY_SOURCES")
        .argParser(listValue),
    );
}

/**
 * The places that options name.
 *
 * @param known what does not have to be given, because something else says it.
 * @throws UsageError naming the option that is missing.
 */
export function placesOf(
  options: PlaceOptions,
  known: { readonly escrow?: Address; readonly chainId?: number; readonly sources?: readonly Source[] } = {},
): Places {
  const escrow = options.escrow ?? known.escrow;
  if (options.rpcUrl === undefined)
    throw new UsageError("no EVM node was given", "Use --rpc-url or set ASSAY_EVM_RPC_URL.");
  if (escrow === undefined)
    throw new UsageError(
      "no escrow was given",
      "Use --escrow or set ASSAY_ESCROW to the AgreementEscrow's address.",
    );
  return {
    rpcUrl: options.rpcUrl,
    chainId: options.chainId ?? known.chainId ?? null,
    escrow,
    fromBlock: options.fromBlock,
    genlayerRpcUrl: options.genlayerRpcUrl ?? null,
    sources: [...(known.sources ?? []), ...openSources(options.source ?? [])],
  };
}
