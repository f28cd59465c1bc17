import type { GasReport } from "./measure-gas.ts";

/** Upper bounds of gas that every change must keep. */
export const BARS: Partial<GasReport> = {
  fundWithAuthorization: 130_000,
  fundWithApproval: 95_000,
  submit: 33_000,
  release1of1: 76_000,
  release3of5: 94_000,
  refund1of1: 78_000,
  batch50PerRelease: 45_000,
  life3of5: 257_000,
  executionPerStep: 5_000,
};
