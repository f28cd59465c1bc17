/** What the exit code of every command means. */
export const EXIT = {
  /** The command did what it was asked to, and found nothing wrong. */
  ok: 0,
  /** What was examined is not in order: an audit's step, a requirement's check or a check of doctor failed; don't hire. */
  failed: 1,
  /** The command line, the configuration or a file is wrong; nothing was done. */
  usage: 2,
  /** What was asked about can't be read: no endpoint answers, another chain does, or it knows no such agreement. */
  unavailable: 3,
  /** The contracts, the operators or you refused; nothing was sent. */
  refused: 4,
  /** What was begun has not come to its end yet: a sent transaction's receipt, or the end of what is watched, was not
   * seen. Run the same command again: it goes on. */
  pending: 5,
} as const;

/** An exit code of `assay`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
