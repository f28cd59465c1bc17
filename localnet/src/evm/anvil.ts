import { HDNodeWallet, Mnemonic } from "ethers";
import { LocalnetError } from "../errors.ts";
import {
  bareEnvironment,
  claimPort,
  createTemporaryFolder,
  requirePackage,
  requireProgram,
  startChild,
} from "../process/index.ts";
import { rpcCall } from "./rpc.ts";

/** The chain id that wallets and tools know as a local development chain. */
export const EVM_CHAIN_ID = 31_337;

/** The development mnemonic that every EVM tool uses: its keys are public, so nobody takes them for real ones. */
export const EVM_MNEMONIC = "test test test test test test test test test test test junk";

const START_MILLISECONDS = 15_000;
const STOP_MILLISECONDS = 3_000;

export interface EvmParameters {
  /** Port on loopback. A free one when left out. */
  port?: number;
  /** Seconds between blocks, 1 by default. 0 mines a block for each transaction and none without. */
  blockTimeSeconds?: number;
  /** How many funded accounts, 20 by default. */
  accounts?: number;
}

/** A funded account whose key is public knowledge. */
export interface EvmAccount {
  address: `0x${string}`;
  privateKey: `0x${string}`;
}

/** A running development chain. */
export interface Evm {
  rpcUrl: string;
  chainId: typeof EVM_CHAIN_ID;
  accounts: EvmAccount[];
  pid: number;
  /** Resolves when the node ends without `stop`. */
  failed: Promise<LocalnetError>;
  /** Ends the node. Idempotent. */
  stop(): Promise<void>;
}

const PROGRAMS: Partial<Record<string, string>> = {
  "linux x64": "@foundry-rs/anvil-linux-amd64",
  "linux arm64": "@foundry-rs/anvil-linux-arm64",
  "darwin x64": "@foundry-rs/anvil-darwin-amd64",
  "darwin arm64": "@foundry-rs/anvil-darwin-arm64",
};

/** anvil itself, not npm's launcher script in front of it: signals must reach it. */
function anvilProgram(): string {
  const platform = `${process.platform} ${process.arch}`;
  const name = PROGRAMS[platform];
  if (name === undefined) {
    throw new LocalnetError(
      "BINARY_MISSING",
      `anvil, the EVM node, has no build for ${platform}.`,
      `Use one of ${Object.keys(PROGRAMS).join(", ")}.`,
    );
  }
  return requireProgram(
    "anvil, the EVM node,",
    name,
    "bin/anvil",
    requirePackage("anvil, the EVM node,", "@foundry-rs/anvil"),
  );
}

/**
 * Starts a development chain (anvil, Prague rules) on loopback, with one-slot epochs, so that `safe` trails the
 * head by one block and `finalized` by two.
 *
 * @throws {@link LocalnetError} when the port is in use or the node is missing or dies.
 */
export async function startEvm(parameters: EvmParameters = {}): Promise<Evm> {
  const { blockTimeSeconds = 1, accounts = 20 } = parameters;
  if (!Number.isFinite(blockTimeSeconds) || blockTimeSeconds < 0) {
    throw new LocalnetError(
      "BAD_OPTION",
      `blockTimeSeconds is ${blockTimeSeconds}; it must be 0 or more.`,
      "Leave it out for one block a second, or give 0 for a block per transaction.",
    );
  }
  const program = anvilProgram();
  const port = await claimPort(parameters.port, "the EVM node");
  const folder = await createTemporaryFolder("evm");
  const rpcUrl = `http://127.0.0.1:${port}`;
  try {
    const child = await startChild({
      title: "anvil, the EVM node,",
      command: program,
      args: [
        ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(EVM_CHAIN_ID)],
        ...["--mnemonic", EVM_MNEMONIC, "--accounts", String(accounts)],
        ...["--hardfork", "prague", "--slots-in-an-epoch", "1", "--quiet"],
        ...(blockTimeSeconds === 0 ? [] : ["--block-time", String(blockTimeSeconds)]),
      ],
      env: bareEnvironment(folder.path),
      cwd: folder.path,
      stopSignal: "SIGINT",
      stopMilliseconds: STOP_MILLISECONDS,
    });
    await child.untilReady(
      async () => (await rpcCall(rpcUrl, "eth_chainId", [])) === `0x${EVM_CHAIN_ID.toString(16)}`,
      START_MILLISECONDS,
    );
    return {
      rpcUrl,
      chainId: EVM_CHAIN_ID,
      accounts: deriveAccounts(accounts),
      pid: child.pid,
      failed: child.failed,
      stop: async () => {
        await child.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function deriveAccounts(count: number): EvmAccount[] {
  const parent = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(EVM_MNEMONIC), "m/44'/60'/0'/0");
  return Array.from({ length: count }, (_, index) => {
    const { address, privateKey } = parent.deriveChild(index);
    return { address: address as `0x${string}`, privateKey: privateKey as `0x${string}` };
  });
}
