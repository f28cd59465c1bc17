import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RpcCall } from "../rpc/index.ts";
import type { Handler } from "../run/step.ts";
import type { SubmissionKey } from "../store/index.ts";

/** One piece of work: what its log line names, so that it can be followed through calls and changes. */
export interface Work {
  readonly requestId: string;
  /** Endpoints that were asked for it; origins only. */
  readonly origins: Set<string>;
}

/** Knows which piece of work a call or a change belongs to. */
export interface WorkLog {
  /** Runs work under a request id of its own. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The same for a submission: what it finds out is committed after it has ended. */
  runFor<T>(key: SubmissionKey, work: () => Promise<T>): Promise<T>;
  called(call: RpcCall): void;
  /** The work under way, or the last one for that submission, which is then forgotten. */
  take(key: SubmissionKey): Work | null;
  /** Nothing is going to be committed for that submission. */
  forget(key: SubmissionKey): void;
}

export function createWorkLog(): WorkLog {
  const current = new AsyncLocalStorage<Work>();
  const ended = new Map<string, Work>();
  const nameOf = ({ agreementId, submissionHash }: SubmissionKey) => `${agreementId}:${submissionHash}`;
  const begin = (): Work => ({ requestId: randomUUID(), origins: new Set() });
  return {
    run: (work) => current.run(begin(), work),
    async runFor(key, work) {
      // Steps that are written together are one piece of work.
      const begun = ended.get(nameOf(key)) ?? begin();
      ended.set(nameOf(key), begun);
      return current.run(begun, work);
    },
    called({ provider }) {
      current.getStore()?.origins.add(provider);
    },
    take(key) {
      const name = nameOf(key);
      const found = current.getStore() ?? ended.get(name) ?? null;
      ended.delete(name);
      return found;
    },
    forget(key) {
      ended.delete(nameOf(key));
    },
  };
}

/** The same handlers; what each step asks and commits can be told by its work. */
export function followHandlers<Name extends string>(
  workLog: WorkLog,
  handlers: Readonly<Record<Name, Handler>>,
): Readonly<Record<Name, Handler>> {
  const followed = Object.entries<Handler>(handlers).map(([name, handler]) => [
    name,
    follow(workLog, handler),
  ]);
  return Object.fromEntries(followed) as Record<Name, Handler>;
}

export function follow(workLog: WorkLog, handler: Handler): Handler {
  return (work) => workLog.runFor(work.state, () => handler(work));
}
