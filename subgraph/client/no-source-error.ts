import type { PassedOver } from "./answers.ts";

/** Nobody answers; `passedOver` says why, source by source. */
export class NoSourceError extends Error {
  override readonly name = "NoSourceError";
  readonly passedOver: readonly PassedOver[];

  constructor(passedOver: readonly PassedOver[]) {
    const reasons = passedOver.map(({ source, refusal, message }) => `${source}: ${refusal} (${message})`);
    super(`Nobody answers. ${reasons.join("; ")}`);
    this.passedOver = passedOver;
  }
}
