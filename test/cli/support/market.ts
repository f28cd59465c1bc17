import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonRpcProvider, Wallet } from "ethers";
import { deployFiatToken, startEvm, type Evm, type FiatToken } from "@assay/localnet";
import { createLogger, loadConfig, startOperator, type Operator } from "@assay/oracle";
import { PROFILE_SCHEMA, toAddress, type Address, type Profile } from "@assay/protocol";
import { deployEvm, type EvmDeployment } from "../../../scripts/deploy/evm.ts";
import { JUDGE, JUDGE_CODE_HASH, SimGenLayer } from "../../oracle/support/sim-genlayer.ts";
import { assay, type Ran } from "./run.ts";

/** Of the workflows of joint agreements; nobody answers for it unless a test brings one. */
const RESPONSIBILITY: NonNullable<Profile["responsibility"]> = {
  contract: toAddress(`0x${"d7".repeat(20)}`),
  codeHash: `0x${"e7".repeat(32)}`,
};

/** Base units. */
const USDC = 1_000_000n;

/** A chain with the real contracts and token, one real operator that nobody judges for, and the command line's files. */
export interface Market {
  readonly evm: Evm;
  readonly token: FiatToken;
  readonly contracts: EvmDeployment;
  readonly provider: JsonRpcProvider;
  readonly operator: Operator;
  readonly profile: Profile;
  /** Of this test alone. */
  readonly folder: string;
  readonly profilePath: string;
  readonly env: Record<string, string>;
  readonly attester: Wallet;
  account(index: number): Wallet;
  /** Runs `assay` on this market, unless the arguments name another network. */
  assay(...args: string[]): Promise<Ran>;
  /** Draws up an agreement; the answer is its file and its id. */
  drawUp(...flags: string[]): Promise<{ readonly file: string; readonly agreementId: string }>;
  /** Likewise, funded by the buyer. */
  funded(...flags: string[]): Promise<{ readonly file: string; readonly agreementId: string }>;
  pass(seconds: number): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts one; a block for each transaction and none without.
 *
 * @param changes members of the profile to replace.
 */
export async function startMarket(changes: Partial<Profile> = {}): Promise<Market> {
  const folder = await mkdtemp(join(tmpdir(), "assay-market-"));
  const evm = await startEvm({ blockTimeSeconds: 0 });
  const provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, { staticNetwork: true, cacheTimeout: -1 });
  const account = (index: number): Wallet => new Wallet(evm.accounts[index]!.privateKey, provider);
  const token = await deployFiatToken(account(0));
  const contracts = await deployEvm(account(0), token.address);
  await token.mint(account(1).address, 1_000n * USDC);
  const genLayer = new SimGenLayer();
  const attester = account(4);
  const operator = await startOperator(
    loadConfig({
      ASSAY_EVM_RPC_URL: evm.rpcUrl,
      ASSAY_EVM_CHAIN_ID: String(evm.chainId),
      ASSAY_ESCROW: contracts.escrow,
      ASSAY_QUORUM: contracts.quorum,
      ASSAY_QUORUM_MEMBERS: attester.address,
      ASSAY_GENLAYER_RPC_URL: await genLayer.start(),
      ASSAY_GENLAYER_NETWORK: "localnet",
      ASSAY_ALLOW_ENV_KEYS: "1",
      ASSAY_ATTESTER_KEY: attester.privateKey,
      ASSAY_SUBMITTER_KEY: account(5).privateKey,
      ASSAY_RELAYER_KEY: account(6).privateKey,
      ASSAY_DATA_DIR: join(folder, "operator"),
      ASSAY_POLL_MILLISECONDS: "60000",
    }),
    { logger: createLogger("silent", { write: () => undefined }) },
  );
  const profile: Profile = {
    schema: PROFILE_SCHEMA,
    name: "market",
    evm: {
      rpcUrl: evm.rpcUrl,
      chainId: evm.chainId,
      escrow: contracts.escrow,
      gate: contracts.gate,
      startBlock: contracts.startBlock,
    },
    quorum: { address: contracts.quorum, members: [attester.address as Address], threshold: 1 },
    adjudication: {
      network: "localnet",
      chainId: 61_127,
      consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
      contract: JUDGE,
      codeHash: JUDGE_CODE_HASH,
      relayers: [account(6).address as Address],
      minValidators: 5,
      rounds: 2,
    },
    responsibility: RESPONSIBILITY,
    operators: [operator.url],
    gateways: [],
    developmentAccounts: { buyer: 1, seller: 2, relayer: 3, poor: 7 },
    ...changes,
  };
  const profilePath = join(folder, "profile.json");
  await writeFile(profilePath, JSON.stringify(profile));
  await mkdir(join(folder, "home"));
  const env = { ASSAY_HOME: join(folder, "home") };
  let drawn = 0;

  const market: Market = {
    evm,
    token,
    contracts,
    provider,
    operator,
    profile,
    folder,
    profilePath,
    env,
    attester,
    account,
    assay: (...args) => assay(args.includes("--network") ? args : [...args, "--network", profilePath], env),
    async drawUp(...flags) {
      const file = join(folder, `deal-${drawn++}.json`);
      const { code, err } = await assay(
        [
          ...["agreement", "new", "--network", profilePath, "--wallet", "buyer", "--seller", "seller"],
          ...["--title", "A report", "--task", "Write it.", "--require", "R1: report.md is there"],
          ...[
            "--check",
            'R1={"type":"file_exists","path":"report.md"}',
            "--reward",
            "25",
            "--deliver-by",
            "1h",
          ],
          ...["--out", file, ...flags],
        ],
        env,
      );
      if (code !== 0) throw new Error(err);
      const { agreementId } = JSON.parse(await readFile(file, "utf8")) as { agreementId: string };
      return { file, agreementId };
    },
    async funded(...flags) {
      const deal = await market.drawUp(...flags);
      const { code, err } = await market.assay("agreement", "fund", deal.file, "--wallet", "buyer", "--yes");
      if (code !== 0) throw new Error(err);
      return deal;
    },
    async pass(seconds) {
      await provider.send("evm_increaseTime", [seconds]);
      await provider.send("evm_mine", []);
    },
    async end() {
      await operator.stop();
      await genLayer.stop();
      provider.destroy();
      await evm.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return market;
}
