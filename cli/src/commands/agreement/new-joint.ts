import { existsSync } from "node:fs";
import { newSalt, ROLES, type AdjudicationPolicy, type Role } from "@assay/protocol";
import { dealLines } from "../../deal/deal-lines.ts";
import { writeDeal, writeNewFile } from "../../deal/deal-file.ts";
import { amountOf } from "../../draft/amount.ts";
import { applyFlags, documentFrom, readTemplate, type DraftFlags } from "../../draft/draft.ts";
import { drawUpJoint, type JointDeals } from "../../draft/draw-up-joint.ts";
import type { ExecutionFlags } from "../../draft/execution.ts";
import { addressFlag, adjudicationOf, buyerOf, textOf, whenFlag } from "../../draft/flags.ts";
import type { JointFlags } from "../../draft/joint-flags.ts";
import { adjudicatorOf } from "../../draft/quorum.ts";
import { UsageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { resolveWhen, type When } from "../../options/durations.ts";
import type { Network } from "../../options/network.ts";
import { accountNamed, type WalletOptions } from "../../options/wallet.ts";
import { show } from "../../output/show.ts";
import type { Session } from "../../session.ts";

/** What `assay agreement new` was told, as far as it concerns a joint agreement. */
export interface NewJointOptions extends WalletOptions, DraftFlags, ExecutionFlags, JointFlags {
  readonly from?: string;
  readonly taskFile?: string;
  readonly buyer?: string;
  readonly seller?: string;
  readonly reward?: string;
  readonly deliverBy?: string;
  readonly judgeBy: When;
  readonly sellerShare: number;
  readonly salt?: bigint;
  readonly adjudication?: string;
  readonly gate?: string | true;
  readonly out?: string;
  readonly document?: string;
  readonly json?: boolean;
}

const DEFAULT_PATIENCE = 10_000;

/**
 * Draws up both agreements of a joint document and writes a file for each. Nothing is signed or sent.
 *
 * @param now the chain's time.
 * @throws UsageError with what is missing, has no place here, or is wrong; then nothing was written.
 */
export async function newJoint(
  options: NewJointOptions,
  io: Io,
  session: Session,
  now: number,
): Promise<void> {
  refuseUnjoint(options);
  const drawn = await draw(options, io, session, now);
  const files = filesFor(options.out, drawn);
  for (const file of Object.values(files))
    if (existsSync(file))
      throw new UsageError(`${file} exists already`, "Give another name with --out; nothing is overwritten.");
  if (options.document !== undefined) await writeNewFile(options.document, drawn.deals.A.document);
  for (const role of ROLES) await writeNewFile(files[role], writeDeal(drawn.deals[role]));
  tell(io, options, session, drawn, files, now);
}

async function draw(options: NewJointOptions, io: Io, session: Session, now: number): Promise<JointDeals> {
  const { network, token } = session;
  const given = required(options);
  const template = options.from === undefined ? {} : await readTemplate(options.from);
  const task = options.taskFile === undefined ? options.task : await textOf(options.taskFile);
  const { title, category } = options;
  const draft = applyFlags(template, {
    ...(title === undefined ? {} : { title }),
    ...(task === undefined ? {} : { task }),
    ...(category === undefined ? {} : { category }),
  });
  const account = (flag: string, text: string) => accountNamed(text, io, network, addressFlag(flag));
  const buyer = await buyerOf(options, io, session);
  const deliverBy = resolveWhen(whenFlag(given.deliverBy), now);
  return drawUpJoint(
    session,
    documentFrom(draft, await adjudicationOf(options, template, workflowsOf(network))),
    {
      deliverBy,
      adjudicateBy: resolveWhen(options.judgeBy, deliverBy),
      creator: options.creator === undefined ? buyer : await account("--creator", options.creator),
      acceptanceCriteria: given.criteria,
      patience: options.patience ?? DEFAULT_PATIENCE,
      a: {
        buyer,
        seller: await account("--seller", given.seller),
        reward: amountOf(given.reward, "the reward", token).toString(),
        noVerdictSellerBps: options.sellerShare,
        salt: (options.salt ?? newSalt()).toString(),
        obligation: given.obligation,
      },
      b: {
        buyer: options.buyerB === undefined ? buyer : await account("--buyer-b", options.buyerB),
        seller: await account("--seller-b", given.sellerB),
        reward: amountOf(given.rewardB, "the reward of agent B", token).toString(),
        noVerdictSellerBps: options.sellerShareB ?? options.sellerShare,
        salt: (options.saltB ?? newSalt()).toString(),
        obligation: given.obligationB,
      },
    },
    await adjudicatorOf(network),
    now,
  );
}

/** The profile's judging with the contract that has workflows; null when the profile does not name it. */
function workflowsOf({ adjudication, responsibility }: Network): AdjudicationPolicy | null {
  return adjudication === null || responsibility === null ? null : { ...adjudication, ...responsibility };
}

/** What belongs to agreements of one seller would be dropped, or change who is paid for what. */
function refuseUnjoint(options: NewJointOptions): void {
  const { require, check, evidence, reporter, gate, recorder, job, mission } = options;
  const given = Object.entries({ require, check, evidence, reporter, gate, recorder, job, mission })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => `--${name}`);
  if (given.length > 0)
    throw new UsageError(
      `${given.join(", ")} ${given.length === 1 ? "has" : "have"} no place in a joint agreement`,
      "Say what each agent owes with --obligation and --obligation-b; the two outputs alone are judged.",
    );
}

const REQUIRED = {
  seller: "--seller",
  reward: "--reward",
  obligation: "--obligation",
  sellerB: "--seller-b",
  rewardB: "--reward-b",
  obligationB: "--obligation-b",
  criteria: "--criteria",
  deliverBy: "--deliver-by",
} as const;

function required(options: NewJointOptions): Record<keyof typeof REQUIRED, string> {
  const names = Object.keys(REQUIRED) as (keyof typeof REQUIRED)[];
  const missing = names.filter((name) => options[name] === undefined).map((name) => REQUIRED[name]);
  if (missing.length > 0)
    throw new UsageError(
      `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`,
      "A joint agreement has two agents, each with a reward and an obligation, and criteria for both together.",
    );
  return Object.fromEntries(names.map((name) => [name, options[name] ?? ""])) as Record<
    keyof typeof REQUIRED,
    string
  >;
}

/** `deal.json` becomes `deal-a.json` and `deal-b.json`. */
function filesFor(out: string | undefined, { deals }: JointDeals): Record<Role, string> {
  const stem = (out ?? `deal-${deals.A.agreementId.slice(2, 10)}.json`).replace(/\.json$/, "");
  return { A: `${stem}-a.json`, B: `${stem}-b.json` };
}

function tell(
  io: Io,
  { json }: NewJointOptions,
  session: Session,
  { plan, deals }: JointDeals,
  files: Record<Role, string>,
  now: number,
): void {
  const { place, workflow, workflowDigest } = plan;
  const { A, B } = deals;
  const side = (role: Role) => {
    const { agreementId, terms } = deals[role];
    return { agreementId, terms, file: files[role] };
  };
  show(
    io,
    json,
    {
      agreementHash: A.terms.agreementHash,
      workflow: { ...place, id: workflow.workflowId, digest: workflowDigest, creator: workflow.creator },
      sides: { A: side("A"), B: side("B") },
    },
    [
      ...dealLines(session, A, A.agreement, now),
      `Written to ${files.A} for agent A, and to ${files.B} for agent B (${B.agreementId})`,
    ],
  );
  io.diagnose(
    `Next: ${workflow.creator} runs assay workflow create ${files.A}, and each agent assay workflow accept ` +
      `(digest ${workflowDigest}); then assay agreement fund ${files.A}, and ${files.B}.`,
  );
}
