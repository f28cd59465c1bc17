import { useState } from "react";
import type { AuditReport, AuditStep, Evidence } from "@assay/protocol";
import { runAudit } from "./run-audit.ts";

/** How far a recomputation is. */
export type Recomputation =
  | { readonly name: "idle" }
  | { readonly name: "gathering" }
  | { readonly name: "failed"; readonly error: unknown }
  | {
      readonly name: "computing" | "done";
      readonly evidence: Evidence;
      readonly steps: readonly AuditStep[];
      readonly report: AuditReport | null;
    };

/** What is recomputed: evidence, and what the chains say now when that is to be compared with it. */
export interface ToRecompute {
  readonly evidence: Evidence;
  readonly live?: Evidence;
}

/** Recomputes on demand. */
export function useRecompute(): {
  readonly state: Recomputation;
  readonly start: (gather: () => Promise<ToRecompute>) => Promise<void>;
} {
  const [state, setState] = useState<Recomputation>({ name: "idle" });
  const start = async (gather: () => Promise<ToRecompute>): Promise<void> => {
    setState({ name: "gathering" });
    try {
      const { evidence, live } = await gather();
      const steps: AuditStep[] = [];
      const show = (name: "computing" | "done", report: AuditReport | null): void =>
        setState({ name, evidence, steps: [...steps], report });
      const report = await runAudit(
        evidence,
        (step) => {
          steps.push(step);
          show("computing", null);
        },
        live,
      );
      show("done", report);
    } catch (error) {
      setState({ name: "failed", error });
    }
  };
  return { state, start };
}
