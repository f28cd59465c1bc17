import { Option, type Command } from "commander";
import type { Address, AdjudicationPolicy, Profile } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { readProfile } from "../network/profile.ts";
import { addressValue, integerValue, urlListValue, urlValue } from "./values.ts";

/** What {@link addNetwork} adds to a command. */
export interface NetworkOptions {
  readonly network?: string;
  readonly rpcUrl?: string;
  readonly chainId?: number;
  readonly escrow?: Address;
  readonly fromBlock?: number;
  readonly operator?: string[];
  readonly indexUrl?: string;
}

/** Where everything is, from the command line, the environment and the network's profile, in this order. */
export interface Network {
  readonly name: string | null;
  readonly rpcUrl: string;
  /** The chain that the endpoint has to be of; null to take the endpoint's. */
  readonly chainId: number | null;
  readonly escrow: Address;
  readonly fromBlock: number;
  /** The ExecutionProofGate. */
  readonly gate: Address | null;
  readonly quorum: NonNullable<Profile["quorum"]> | null;
  readonly adjudication: AdjudicationPolicy | null;
  /** Decides the workflows of joint agreements. */
  readonly responsibility: NonNullable<Profile["responsibility"]> | null;
  readonly genLayerRpcUrl: string | null;
  readonly operators: readonly string[];
  readonly index: string | null;
  /** Public development accounts by name. */
  readonly developmentAccounts: Readonly<Record<string, number>>;
}

/** `--network`, for every command that asks the outside world something. */
export function networkOption(): Option {
  return new Option(
    "--network <name>",
    "a network's profile, by name or path; `npm start` writes localnet",
  ).env("ASSAY_NETWORK");
}

/** The options that the EVM's part of every command shares. */
export function evmOptions(): Option[] {
  return [
    new Option("--rpc-url <url>", "node of the escrow's EVM chain")
      .env("ASSAY_EVM_RPC_URL")
      .argParser(urlValue),
    new Option("--chain-id <id>", "refuse a node of any other chain")
      .env("ASSAY_EVM_CHAIN_ID")
      .argParser(integerValue),
    new Option("--escrow <address>", "the AgreementEscrow").env("ASSAY_ESCROW").argParser(addressValue),
    new Option("--from-block <number>", "first block to search for the agreement (default: 0)")
      .env("ASSAY_START_BLOCK")
      .argParser(integerValue),
  ];
}

/** Adds the options that say where everything is. Each has an environment variable; a flag goes before it. */
export function addNetwork(command: Command): Command {
  const options = [
    networkOption(),
    ...evmOptions(),
    new Option("--operator <url>", "an operator's API; repeatable")
      .env("ASSAY_OPERATORS")
      .argParser(urlListValue),
    new Option("--index-url <url>", "the subgraph's query URL").env("ASSAY_INDEX_URL").argParser(urlValue),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/** The profile that `--network` names, or null. @throws UsageError when it can't be read. */
export function profileOf({ network }: Pick<NetworkOptions, "network">): Profile | null {
  return network === undefined ? null : readProfile(network);
}

/**
 * Where everything is.
 *
 * @throws UsageError naming the option that is missing.
 */
export function networkOf(options: NetworkOptions): Network {
  const profile = profileOf(options);
  const rpcUrl = options.rpcUrl ?? profile?.evm.rpcUrl;
  const escrow = options.escrow ?? profile?.evm.escrow;
  if (rpcUrl === undefined)
    throw new UsageError(
      "no network was given",
      "Name one with --network (on one machine: localnet, which `npm start` writes), or give --rpc-url and --escrow.",
    );
  if (escrow === undefined)
    throw new UsageError(
      "no escrow was given",
      "Name a network with --network, or give the AgreementEscrow's address with --escrow or ASSAY_ESCROW.",
    );
  return {
    name: profile?.name ?? null,
    rpcUrl,
    chainId: options.chainId ?? profile?.evm.chainId ?? null,
    escrow,
    fromBlock: options.fromBlock ?? profile?.evm.startBlock ?? 0,
    gate: profile?.evm.gate ?? null,
    quorum: profile?.quorum ?? null,
    adjudication: profile?.adjudication ?? null,
    responsibility: profile?.responsibility ?? null,
    genLayerRpcUrl: profile?.genLayerRpcUrl ?? null,
    operators: options.operator ?? profile?.operators ?? [],
    index: options.indexUrl ?? profile?.index ?? null,
    developmentAccounts: profile?.developmentAccounts ?? {},
  };
}
