/** What the exit code of every command means. */
export const EXIT = {
  /** The command did what it was asked to, and found nothing wrong. */
  ok: 0,
  /** An audit's step failed (with --strict: or could not be checked). */
  failed: 1,
  /** The command line or the configuration is wrong; nothing was done. */
  usage: 2,
  /** What was asked about can't be read: no endpoint answers, another chain does, or it knows no such agreement. */
  unavailable: 3,
} as const;

/** An exit code of `assay`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
