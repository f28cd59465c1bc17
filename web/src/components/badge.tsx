import type { ReactNode } from "react";

/** What a colour says; words and marks always say it too. */
export type Tone = "neutral" | "pass" | "fail" | "warn" | "info" | "hold";

/** A few words in a frame. */
export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
