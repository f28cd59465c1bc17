import { Transaction } from "ethers";
import { isSameAddress, type Address, type Hex, type Wording } from "@assay/protocol";
import { RefusedError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { show } from "../output/show.ts";
import type { WriteOptions } from "../options/write.ts";
import type { Wallet } from "../wallet/signer.ts";
import { REPLACED, broadcast } from "./broadcast.ts";
import type { Included, Intent } from "./intent.ts";
import type { Journal } from "./journal.ts";
import type { Node } from "./node.ts";
import { refusalOf } from "./refusal.ts";

/** What a transaction needs besides what it does. */
export interface Transacting {
  readonly io: Io;
  readonly node: Node;
  readonly chainId: number;
  readonly journal: Journal;
  /** Who sends; null with `--unsigned` when nobody is named. */
  readonly wallet: Wallet | null;
  readonly options: WriteOptions;
  readonly wording: Wording;
}

/** Twelve tenths: state may have moved a little by the time a block takes it. */
const GAS_MARGIN = { numerator: 12n, denominator: 10n } as const;

/**
 * Does what is intended: goes on with an earlier run's transaction if there is one; else simulates, asks before money
 * moves, signs, journals, sends, and waits for the block.
 *
 * @returns null when nothing was to be sent (`--dry-run`, `--unsigned`), and what was asked for has been printed.
 * @throws RefusedError, PendingError, UsageError, UnavailableError
 */
export async function transact(context: Transacting, intent: Intent): Promise<Included | null> {
  const { options } = context;
  if (options.unsigned === true) return printUnsigned(context, intent);
  const settled = await goOn(context, intent);
  if (settled !== undefined) return settled;
  if (options.signedTransaction !== undefined) return sendSigned(context, intent, options.signedTransaction);
  const wallet = walletFor(context, intent);
  const gas = await simulate(context, intent, wallet.address);
  if (options.dryRun === true) return printDryRun(context, intent, wallet.address, gas);
  await confirm(context, intent);
  const [{ maxFeePerGas, maxPriorityFeePerGas }, nonce] = await Promise.all([
    context.node.fees(),
    context.node.nonce(wallet.address, "pending"),
  ]);
  const signer = await wallet.unlock();
  const raw = await signer.signTransaction({
    type: 2,
    chainId: context.chainId,
    nonce,
    to: intent.to,
    data: intent.data,
    value: 0n,
    gasLimit: (gas * GAS_MARGIN.numerator) / GAS_MARGIN.denominator,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return journalAndSend(context, intent, raw);
}

/**
 * Simulates a call as its sender.
 *
 * @returns the gas that it takes.
 * @throws RefusedError with the contract's error in words.
 */
export async function simulate(
  { node, wording }: Pick<Transacting, "node" | "wording">,
  { to, data, title }: Pick<Intent, "to" | "data" | "title">,
  from: Address,
): Promise<bigint> {
  try {
    await node.call({ from, to, data });
    return await node.estimateGas({ from, to, data });
  } catch (error) {
    throw refusalOf(error, title, wording);
  }
}

/**
 * Goes on with an earlier run's transaction, or finds that everything is done already.
 *
 * @returns undefined when there is something left to do, null when it was done before and has been told.
 */
export async function goOn(context: Transacting, intent: Intent): Promise<Included | null | undefined> {
  const resumed = await resume(context, intent);
  if (resumed !== undefined) return resumed;
  return (await tellDone(context, intent)) ? null : undefined;
}

/** Whether it is done already; then that is told. */
async function tellDone({ io, options }: Transacting, intent: Intent): Promise<boolean> {
  const done = (await intent.done?.()) ?? null;
  if (done === null) return false;
  const { action, subject } = intent;
  show(io, options.json, { action, subject, already: true, message: done }, [`${done} Nothing was sent.`]);
  return true;
}

/** Undefined when there is nothing to go on with. */
async function resume(context: Transacting, intent: Intent): Promise<Included | null | undefined> {
  const { io, journal, options } = context;
  const entry = await journal.find(intent);
  if (entry === null) return undefined;
  io.diagnose(
    `${intent.title}: transaction ${entry.transactionHash} was signed at ${entry.at}; going on with it`,
  );
  if (intent.data !== "0x" && Transaction.from(entry.raw).data !== intent.data)
    io.diagnose("Warning: that transaction does something else than this command asks for; it was first.");
  if (options.dryRun === true) {
    show(io, options.json, { action: intent.action, dryRun: true, pending: entry.transactionHash }, [
      `${intent.title}: ${entry.transactionHash} is under way already; nothing else would be sent.`,
    ]);
    return null;
  }
  const included = await broadcast({ ...context, waitSeconds: options.wait }, intent, entry, true);
  if (included !== REPLACED) return included;
  io.diagnose(
    `${entry.transactionHash} can't be included any more: the account used its nonce for another one`,
  );
  return undefined;
}

function walletFor({ wallet }: Transacting, { sender, title }: Intent): Wallet {
  if (wallet === null)
    throw new UsageError(
      "no wallet was given",
      "Name one with --wallet, or use --unsigned to sign and send it elsewhere.",
    );
  if (sender !== null && !isSameAddress(wallet.address, sender))
    throw new RefusedError(
      "CallerUnexpected",
      `${title}: only ${sender} may do this, and wallet ${wallet.name} is ${wallet.address}`,
      "Use that account's wallet with --wallet.",
    );
  return wallet;
}

/** Asks before money moves. @throws RefusedError when the answer is no, UsageError when nobody can be asked. */
export async function confirm(
  { io, options }: Pick<Transacting, "io" | "options">,
  { title, money }: Pick<Intent, "title" | "money">,
): Promise<void> {
  if (money === null || options.yes === true) return;
  if (io.terminal === undefined)
    throw new UsageError(
      `${title}: money moves, and nobody is here to be asked`,
      "Add --yes to go on without a question, or --dry-run to see what would be done.",
    );
  io.diagnose(`${title}\n${money}`);
  const answer = await io.terminal.ask("Go on? [y/N] ");
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new RefusedError("declined", "you did not go on", "Nothing was sent.");
}

async function printUnsigned(context: Transacting, intent: Intent): Promise<null> {
  const { io, chainId, wallet } = context;
  const from = intent.sender ?? wallet?.address;
  const gas = from === undefined ? undefined : await simulate(context, intent, from);
  const transaction = {
    chainId,
    ...(from === undefined ? {} : { from }),
    to: intent.to,
    value: "0",
    data: intent.data,
    ...(gas === undefined ? {} : { gas }),
  };
  io.diagnose(
    `${intent.title}: sign this${from === undefined ? "" : ` as ${from}`} and send it, or hand it back with --signed-transaction.`,
  );
  show(io, true, transaction, []);
  return null;
}

function printDryRun({ io, options }: Transacting, intent: Intent, from: Address, gas: bigint): null {
  const { action, title, money, to, data } = intent;
  show(io, options.json, { action, dryRun: true, from, to, data, gas }, [
    `${title}: it would succeed.`,
    ...(money === null ? [] : [money]),
    `From ${from} to ${to}, about ${gas} gas. Nothing was sent.`,
  ]);
  return null;
}

/** Sends what another wallet signed, if it is exactly what is intended. */
async function sendSigned(context: Transacting, intent: Intent, raw: Hex): Promise<Included | null> {
  let transaction: Transaction;
  try {
    transaction = Transaction.from(raw);
  } catch (error) {
    throw new UsageError("that is no signed transaction", "Hand in the raw bytes as a wallet returns them.", {
      cause: error,
    });
  }
  const { from, to, data, value, chainId } = transaction;
  const isIntended =
    from !== null &&
    to !== null &&
    isSameAddress(to as Address, intent.to) &&
    data === intent.data &&
    value === 0n &&
    chainId === BigInt(context.chainId);
  if (!isIntended)
    throw new UsageError(
      "the signed transaction is not the one that --unsigned printed",
      "Give the same command and options both times, and sign for the same network.",
    );
  const gas = await simulate(context, intent, from as Address);
  if (context.options.dryRun === true) return printDryRun(context, intent, from as Address, gas);
  await confirm(context, intent);
  return journalAndSend(context, intent, raw);
}

/** On disk first, so that a run that is killed here is gone on with, never repeated. */
async function journalAndSend(context: Transacting, intent: Intent, raw: Hex): Promise<Included | null> {
  if (!(await context.journal.add(intent, raw))) {
    const other = await resume(context, intent);
    if (other !== undefined) return other;
    await context.journal.add(intent, raw);
  }
  // Another run may have begun and ended since this one looked; now that the journal is taken, none can any more.
  if (await tellDone(context, intent)) {
    await context.journal.remove(intent);
    return null;
  }
  const { from, nonce, hash } = Transaction.from(raw);
  const entry = { raw, nonce, from: from as Address, transactionHash: hash as Hex };
  const included = await broadcast({ ...context, waitSeconds: context.options.wait }, intent, entry, false);
  if (included !== REPLACED) return included;
  throw new RefusedError(
    "replaced",
    `${intent.title}: the account sent another transaction in place of ${entry.transactionHash}`,
    "Run the command again.",
  );
}
