/** A place inside a JSON value in the notation of JavaScript, such as `requirements[2].check.path`; empty for the whole. */
export function formatPath(steps: readonly PropertyKey[]): string {
  return steps.map(formatStep).join("").replace(/^\./, "");
}

function formatStep(step: PropertyKey): string {
  if (typeof step === "number") return `[${step}]`;
  const key = String(step);
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
