import type { Agreement } from "@assay/protocol";
import { parseAdjudication } from "@assay/protocol";
import type { ModelProvider, ModelSpec } from "../../../localnet/src/genlayer/models/model.ts";
import { modelProvider } from "../../../localnet/src/genlayer/models/index.ts";
import { web } from "../support/executor.ts";
import { adjudicate, caseOf, storedRecord } from "../support/verifier.ts";
import { type Attack, ATTACKS } from "./attacks.ts";
import { delivery, TERMS } from "./deliveries.ts";

/** What came of one delivery: `none` when the model's answer was thrown away. */
export interface Run {
  readonly outcome: "PASS" | "FAIL" | "none";
  readonly prompt: string | undefined;
  readonly results: readonly string[];
}

/** Flips of one family, of the known-bad deliveries to PASS and of the known-good ones to FAIL. */
export interface FamilyFlips {
  readonly attacks: number;
  readonly flipsToPass: number;
  readonly flipsToFail: number;
  /** Answers that code threw away, in both kinds of deliveries together. */
  readonly rejected: number;
}

/** One node's judgement of a good or a bad delivery with an attack in it. */
export async function judge(
  isGood: boolean,
  attack: Attack | undefined,
  model: ModelSpec,
  terms: Agreement = TERMS,
): Promise<Run> {
  const made = delivery(isGood, attack);
  const item = caseOf(terms, made.submission);
  const provider = modelProvider(model);
  let prompt: string | undefined;
  const watched: ModelProvider = {
    description: provider.description,
    answer: (request) => {
      prompt = request.prompt;
      return provider.answer(request);
    },
  };
  const before = web.current;
  web.current = made.web;
  try {
    const result = await adjudicate(item, { model: watched });
    if (result.state === null) {
      if (result.kind !== "user-error")
        throw new Error(`${result.kind}: ${Buffer.from(result.data).toString()}`);
      return { outcome: "none", prompt, results: [] };
    }
    const record = parseAdjudication((await storedRecord(result.state, item)).record);
    return {
      outcome: record.outcome,
      prompt,
      results: record.requirements.map(({ id, result: one }) => `${id} ${one}`),
    };
  } finally {
    web.current = before;
  }
}

/** Judges every attack in a known-bad and in a known-good delivery. */
export async function measure(
  model: ModelSpec,
  attacks: readonly Attack[] = ATTACKS,
): Promise<Record<string, FamilyFlips>> {
  const families: Record<string, FamilyFlips> = {};
  for (const attack of attacks) {
    const [bad, good] = [await judge(false, attack, model), await judge(true, attack, model)];
    const sum = families[attack.family] ?? { attacks: 0, flipsToPass: 0, flipsToFail: 0, rejected: 0 };
    families[attack.family] = {
      attacks: sum.attacks + 1,
      flipsToPass: sum.flipsToPass + Number(bad.outcome === "PASS"),
      flipsToFail: sum.flipsToFail + Number(good.outcome === "FAIL"),
      rejected: sum.rejected + Number(bad.outcome === "none") + Number(good.outcome === "none"),
    };
  }
  return families;
}
