import type { Evidence } from "../evidence.ts";
import { fail, notChecked, pass, shown } from "../finding.ts";
import { canonicalize } from "../../json/canonicalize.ts";
import { formatPath } from "../../json/path.ts";
import type { AuditStep, Finding } from "../report.ts";

/**
 * What may differ between a bundle and the chains without either being wrong: how far they are by now, what was
 * missing, how the same facts were proven, and records that came later.
 */
const MAY_DIFFER: readonly string[] = [
  "gaps",
  "evm.finalizedBlock",
  "evm.blocks[].header",
  "evm.transactions[].receiptProof",
  "judge.records",
];

/** The step that compares a bundle with what the chains say now. */
export function bundleStep(bundle: Evidence, live: Evidence): AuditStep {
  return {
    id: "bundle",
    title: "The bundle says what the chains say now",
    basis: "reported",
    ...compareEvidence(bundle, live),
  };
}

function compareEvidence(bundle: Evidence, live: Evidence): Finding {
  if (live.judge === null && bundle.judge !== null) {
    const finding = compareEvidence({ ...bundle, judge: null }, live);
    return finding.result === "FAIL"
      ? finding
      : notChecked("GenLayer could not be read; the EVM's part is the same");
  }
  const difference = firstDifference(bundle, live, []);
  return difference === null
    ? pass("events, certificate, documents, records and the judge's facts are the same")
    : fail(`${difference.path} differs`, { expected: difference.live, actual: difference.bundle });
}

interface Difference {
  readonly path: string;
  readonly bundle: string;
  readonly live: string;
}

function firstDifference(bundle: unknown, live: unknown, path: readonly PropertyKey[]): Difference | null {
  if (MAY_DIFFER.includes(formatPath(path).replaceAll(/\[\d+\]/g, "[]"))) return null;
  if (isBranch(bundle) && isBranch(live)) {
    const keys = [...new Set([...Object.keys(bundle), ...Object.keys(live)])];
    for (const key of keys) {
      const step = Array.isArray(bundle) ? Number(key) : key;
      const found = firstDifference(Reflect.get(bundle, key), Reflect.get(live, key), [...path, step]);
      if (found !== null) return found;
    }
    return null;
  }
  if (bundle === live) return null;
  return { path: formatPath(path), bundle: short(bundle), live: short(live) };
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const MAX_SHOWN = 200;

function short(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === undefined ? shown(undefined) : canonicalize(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
