import { isDeepStrictEqual } from "node:util";
import { ChainIdentityError } from "../rpc/index.ts";
import { JudgeUnavailableError } from "./errors.ts";
import type { Judge } from "./judge.ts";
import type { JudgeTransaction } from "./transaction.ts";

/** Endpoints that must say the same before it leads to money, of any number above one. */
const QUORUM = 2;

/**
 * Several endpoints of one GenLayer network as one judge. What a verdict rests on (a final transaction, the records, the
 * deployed code) counts only when two of them say the same; what is signed goes to every one. Endpoints that don't
 * answer are passed over; when they contradict each other nothing is known, and it is asked again.
 *
 * @param judges one for each endpoint, of the same network and relayer, in the order in which they are preferred.
 */
export function createAgreeingJudge(judges: readonly [Judge, ...Judge[]]): Judge {
  const [first] = judges;
  if (judges.length === 1) return first;

  /** Whatever the first endpoint that answers says. */
  async function any<T>(ask: (judge: Judge) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const judge of judges) {
      try {
        return await ask(judge);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** What everybody says who answers. @throws the last failure when fewer than `least` answer. */
  async function all<T>(least: number, ask: (judge: Judge) => Promise<T>): Promise<[T, ...T[]]> {
    const settled = await Promise.allSettled(judges.map(ask));
    const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = settled.findLast((one) => one.status === "rejected");
    if (answers.length < least && failed !== undefined) throw failed.reason;
    return answers as [T, ...T[]];
  }

  /** What two endpoints say. */
  async function agreed<T>(what: string, ask: (judge: Judge) => Promise<T>): Promise<T> {
    const answers = await all(QUORUM, ask);
    const found = answers.find(
      (one) => answers.filter((other) => isDeepStrictEqual(one, other)).length >= QUORUM,
    );
    if (found === undefined)
      throw new JudgeUnavailableError(what, `differs between the endpoints of ${first.network.name}`);
    return found;
  }

  return {
    network: first.network,
    relayer: first.relayer,
    workflows: {
      calldataOf: (call) => first.workflows.calldataOf(call),
      prepare: (...parameters) => any((judge) => judge.workflows.prepare(...parameters)),
      read: (...parameters) => agreed("the workflow", (judge) => judge.workflows.read(...parameters)),
      record: (...parameters) =>
        agreed("the assessment's record", (judge) => judge.workflows.record(...parameters)),
    },
    calldataOf: (call) => first.calldataOf(call),
    isKnownOtherwise: (id, calldata) => judges.some((judge) => judge.isKnownOtherwise(id, calldata)),

    async verifyIdentity() {
      const settled = await Promise.allSettled(judges.map((judge) => judge.verifyIdentity()));
      const failures = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
      const foreign = failures.find((failure) => failure instanceof ChainIdentityError);
      if (foreign !== undefined) throw foreign;
      if (failures.length === judges.length) throw failures[0];
    },

    prepare: (...parameters) => any((judge) => judge.prepare(...parameters)),
    prepareFinalization: (...parameters) => any((judge) => judge.prepareFinalization(...parameters)),
    reprice: (...parameters) => first.reprice(...parameters),
    prepareFiller: (...parameters) => first.prepareFiller(...parameters),

    async sendRaw(raw) {
      await all(1, (judge) => judge.sendRaw(raw));
    },

    async receipt(transactionHash) {
      const answers = await all(1, (judge) => judge.receipt(transactionHash));
      return answers.find((receipt) => receipt !== null) ?? null;
    },

    // One that lags must not make us give out a nonce twice.
    nonce: async () => Math.max(...(await all(1, (judge) => judge.nonce()))),

    async transaction(id) {
      const answers = await all(QUORUM, (judge) => judge.transaction(id));
      const final = answers.filter((answer) => answer?.status === "FINALIZED");
      // Whoever has not got so far yet decides: what is final there as well will still be so later.
      if (final.length < QUORUM) return leastAdvanced(answers);
      const [one, other] = final;
      const found = final.find(
        (each) => final.filter((another) => isDeepStrictEqual(each, another)).length >= QUORUM,
      );
      if (found === undefined)
        throw new JudgeUnavailableError(
          `transaction ${id}`,
          `is final with result ${String(one?.result)} at one endpoint of ${first.network.name}, ${String(other?.result)} at another`,
        );
      return found;
    },

    record: (...parameters) => agreed("the judge's record", (judge) => judge.record(...parameters)),
    records: (...parameters) =>
      agreed("the judge's list of records", async (judge) =>
        (await judge.records(...parameters)).toSorted((one, other) => one.sequence - other.sequence),
      ),
    codeHash: (contract) => agreed("the judge's code", (judge) => judge.codeHash(contract)),

    async transactionsTo(contract, since) {
      const lists = await all(1, (judge) => judge.transactionsTo(contract, since));
      const known = lists.filter((list) => list !== null);
      // Whatever one of them hides, another shows.
      return known.length === 0 ? null : [...new Set(known.flat())];
    },
  };
}

/** Nobody's answer, before one that is not final. */
function leastAdvanced(answers: readonly (JudgeTransaction | null)[]): JudgeTransaction | null {
  if (answers.includes(null)) return null;
  return answers.find((answer) => answer?.status !== "FINALIZED") ?? null;
}
