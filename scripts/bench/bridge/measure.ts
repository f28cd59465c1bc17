/** The value below which that share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Looks every so often until it is so, or until the time is over. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  limitSeconds: number,
  everyMilliseconds = 100,
): Promise<boolean> {
  const end = Date.now() + limitSeconds * 1_000;
  while (Date.now() < end) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, everyMilliseconds));
  }
  return isSo();
}
