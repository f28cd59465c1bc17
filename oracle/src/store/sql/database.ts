import type { SubmissionKey, SubmissionRow } from "../rows.ts";
import type { Script } from "./script.ts";

/** A database as the store needs it: it runs scripts, lends submissions to workers, and keeps workers apart. */
export interface Database {
  /** Runs a script that changes nothing. Sees what is committed, and nothing else. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** Runs a script as one transaction. When it throws, nothing of it is written. */
  write<T>(script: () => Script<T>): Promise<T>;
  /** The same for what may be forgotten in a crash, such as when to look again: it need not wait for the disk. */
  note<T>(script: () => Script<T>): Promise<T>;
  readonly leases: Leases;
  readonly locks: Locks;
  /** Copies the whole database into a file, while it is in use. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Who works on which submission. */
export interface Leases {
  claim(now: number, limit: number): Promise<readonly SubmissionRow[]>;
  renew(): Promise<number>;
  /** Lets submissions go, as part of a transaction. */
  releaseScript(keys: readonly SubmissionKey[]): Script<void>;
}

/** What only one worker may do at a time. */
export interface Locks {
  /** Waits for the lock, does the work, lets go. */
  hold<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Whether this worker has that post; it takes it when it is vacant, and keeps it as long as it lives. */
  keep(name: string): Promise<boolean>;
}
