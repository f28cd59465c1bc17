import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatUnits, Wallet } from "ethers";
import { run } from "@assay/cli";
import type { ExecutionReport, Hex, Step } from "@assay/protocol";
import { startRecorder, type Recorder } from "@assay/recorder";
import { balanceOf } from "../local/parties.ts";
import { profileOf } from "../local/profile.ts";
import type { Stack } from "../local/stack.ts";
import type { Act, Say } from "./act.ts";
import { operatorUrl } from "./history.ts";

const USDC_DECIMALS = 6;
/** 0.01 USDC. */
const REWARD = 10_000n;
export const TOUR_JOB = "mission:read-platform-tour:testnet";

const get = (index: number, pathTemplate: string, auth: boolean): Step => ({
  index,
  method: "GET",
  pathTemplate,
  auth,
});

/** Five reads of the public API that every operator serves. */
export const TOUR: readonly Step[] = [
  get(0, "/.well-known/agent-card.json", false),
  get(1, "/v1/parties", false),
  get(2, "/v1/reputation/{address}", true),
  get(3, "/v1/hire/{address}", true),
  get(4, "/v1/documents/{hash}", false),
];

/** What the demonstration shows. */
export interface ShownMission {
  readonly agreementId: Hex;
  readonly missionId: string;
  readonly recorder: string;
  readonly committedRoot: Hex;
  readonly terminal: Hex;
  /** The escrow's status before the first call. */
  readonly lockedBefore: string;
  readonly transactions: { readonly fund: Hex; readonly submit: Hex; readonly claim: Hex };
  readonly report: ExecutionReport;
  /** Token base units that the seller has more than before. */
  readonly paid: bigint;
  /** Token base units that the buyer has less than before. */
  readonly spent: bigint;
}

/** A recorder in front of one of the stack's operators, and the command line of a machine of its own. */
export interface MissionStage {
  readonly recorder: Recorder;
  readonly folder: string;
  /** Runs `assay` and gives its JSON. @throws Error in its words when it does not end with 0. */
  readonly assay: <T>(...args: string[]) => Promise<T>;
  close(): Promise<void>;
}

/** Puts a recorder with a new key in front of the first operator's API. */
export async function setMissionStage(stack: Stack, say: Say): Promise<MissionStage> {
  const folder = await mkdtemp(join(tmpdir(), "assay-mission-"));
  const recorder = await startRecorder(
    {
      upstream: new URL(operatorUrl(stack)),
      host: "127.0.0.1",
      port: 0,
      prefix: "/api/v1",
      database: join(folder, "recorder.sqlite"),
      jobs: [
        {
          id: TOUR_JOB,
          title: "Read the platform",
          description: "Read five pages of an operator's public API, in this order.",
          network: "localnet",
          reward: "0.01 USDC",
          steps: TOUR,
        },
      ],
      rpcUrls: { [stack.evm.chainId]: stack.evm.rpcUrl },
      maxBodyBytes: 1 << 20,
      upstreamTimeoutMilliseconds: 30_000,
      missionSeconds: 3_600,
      offerSeconds: 600,
      requestsPerSecond: 50,
      onboardingsPerMinute: 10,
    },
    Wallet.createRandom() as unknown as Wallet,
  );
  const profile = join(folder, "profile.json");
  await writeFile(profile, JSON.stringify(profileOf(stack)));
  return {
    recorder,
    folder,
    assay: async (...args) => {
      let out = "";
      const told: string[] = [];
      const code = await run([...args, "--network", profile, "--json"], {
        env: { ASSAY_HOME: join(folder, "home") },
        out: (text) => (out += text),
        diagnose: (line) => {
          told.push(line);
          if (line.startsWith("step ")) say(`  ${line}`);
        },
      });
      if (code !== 0)
        throw new Error(`assay ${args.slice(0, 2).join(" ")} ended with ${code}: ${told.join(" ")}`);
      return JSON.parse(out) as never;
    },
    close: async () => {
      await recorder.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An agreement about the tour that the gate pays for, funded before a step is walked. */
export async function fundTour(
  { assay, recorder, folder }: MissionStage,
  name: string,
): Promise<{ readonly file: string; readonly agreementId: Hex; readonly hash: Hex; readonly funding: Hex }> {
  const file = join(folder, `${name}.json`);
  const drawn = await assay<{ agreementId: Hex; agreementHash: Hex }>(
    ...["agreement", "new", "--recorder", recorder.url, "--job", TOUR_JOB, "--gate"],
    ...["--wallet", "buyer", "--seller", "seller", "--reward", "0.01", "--deliver-by", "1h", "--out", file],
  );
  const funded = await assay<{ transactionHash: Hex }>(
    "agreement",
    "fund",
    file,
    "--wallet",
    "buyer",
    "--yes",
  );
  return { file, agreementId: drawn.agreementId, hash: drawn.agreementHash, funding: funded.transactionHash };
}

/** Walks the tour of a funded agreement; the proof's file. */
export async function walkTour(
  { assay, recorder, folder }: MissionStage,
  { file, hash }: { readonly file: string; readonly hash: Hex },
  address: string,
  name: string,
): Promise<{
  readonly proof: string;
  readonly missionId: string;
  readonly committedRoot: Hex;
  readonly terminal: Hex;
}> {
  const proof = join(folder, `${name}.json`);
  const walked = await assay<{ missionId: string; committedRoot: Hex; terminal: Hex }>(
    ...["mission", "run", file, "--recorder", recorder.url, "--wallet", "seller", "--out", proof],
    ...["--set", `address=${address}`, "--set", `hash=${hash}`],
  );
  return { proof, ...walked };
}

/** The read-the-platform mission, from the locked reward to its release by the proof. */
export async function showMission(stack: Stack, say: Say): Promise<ShownMission> {
  const { venue, cast } = stack;
  const stage = await setMissionStage(stack, say);
  const { assay, recorder } = stage;
  try {
    const [seller, buyer] = await Promise.all([
      balanceOf(venue, cast.seller.address as Hex),
      balanceOf(venue, cast.buyer.address as Hex),
    ]);
    say(`\nA recorder stands in front of ${operatorUrl(stack)}: ${recorder.url}`);
    const deal = await fundTour(stage, "deal");
    const { status: lockedBefore } = await assay<{ status: string }>("agreement", "check", deal.file);
    say(
      `Agreement ${deal.agreementId}: ${usdc(REWARD)} are in escrow before the first step (${lockedBefore})`,
    );
    const walked = await walkTour(stage, deal, cast.seller.address, "walk");
    say(`The chain ends in ${walked.terminal}, signed by the recorder`);
    const submitted = await assay<{ transactionHash: Hex }>(
      ...["mission", "submit", deal.file, "--proof", walked.proof, "--wallet", "seller"],
    );
    const claimed = await assay<{ transactionHash: Hex }>(
      ...["claim", deal.file, "--proof", walked.proof, "--wallet", "relayer", "--yes"],
    );
    say(`The gate replayed it and released the reward: ${claimed.transactionHash}`);
    const report = await assay<ExecutionReport>("mission", "verify", deal.agreementId, "--strict");
    say(`A stranger verified it from the chain alone: ${report.passed} of ${report.steps.length} steps hold`);
    const [sellerAfter, buyerAfter] = await Promise.all([
      balanceOf(venue, cast.seller.address as Hex),
      balanceOf(venue, cast.buyer.address as Hex),
    ]);
    say(`The seller was paid ${usdc(sellerAfter - seller)}`);
    return {
      agreementId: deal.agreementId,
      missionId: walked.missionId,
      recorder: recorder.url,
      committedRoot: walked.committedRoot,
      terminal: walked.terminal,
      lockedBefore,
      transactions: { fund: deal.funding, submit: submitted.transactionHash, claim: claimed.transactionHash },
      report,
      paid: sellerAfter - seller,
      spent: buyer - buyerAfter,
    };
  } finally {
    await stage.close();
  }
}

const usdc = (amount: bigint): string => `${formatUnits(amount, USDC_DECIMALS)} USDC`;

/** A walk through the platform's own API that pays, without any model. */
export const missionAct: Act = {
  story: `A seller's agent reads the platform: five calls of an operator's public API, committed to by an agreement and
walked through a recorder. 0.01 USDC are locked before the walk; the proof releases them, without any model.`,
  guests: 0,
  async play(stack, say) {
    const shown = await showMission(stack, say);
    const isGood =
      shown.report.result === "PASS" &&
      shown.paid === REWARD &&
      shown.spent === REWARD &&
      shown.lockedBefore !== "None";
    return { shown, isGood };
  },
};
