import { InvalidArgumentError } from "commander";

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** A point in time as it was written: so many seconds after something, or a Unix time in seconds. */
export type When = { readonly after: number } | { readonly at: number };

/** A length of time, such as `90s`, `15m`, `36h`, `2d`, `1w` or `1d12h`, in seconds. */
export function durationValue(text: string): number {
  const seconds = durationIn(text);
  if (seconds === undefined)
    throw new InvalidArgumentError("Write a duration such as 90s, 15m, 36h, 2d, 1w or 1d12h.");
  return seconds;
}

/** A duration, or a date: `2026-12-24`, `2026-12-24T18:00Z`, with a time zone unless it is a whole day (UTC). */
export function whenValue(text: string): When {
  const after = durationIn(text);
  if (after !== undefined) return { after };
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError(
      "Write a duration such as 12h or 3d, or a date such as 2026-12-24 or 2026-12-24T18:00+01:00.",
    );
  return { at: Math.floor(time / 1_000) };
}

/** The Unix time that is meant, when durations count from `start`. */
export function resolveWhen(when: When, start: number): number {
  return "at" in when ? when.at : start + when.after;
}

function durationIn(text: string): number | undefined {
  if (!/^(\d{1,6}[smhdw])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([smhdw])/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (SECONDS[unit] ?? 0), 0);
}
