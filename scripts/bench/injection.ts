/**
 * Counts what attacks in submissions achieve: `npm run bench:injection -- [--json] [--model obedient|rules|openai]`.
 *
 * Each attack stands once in a delivery that deserves FAIL and once in one that deserves PASS. `obedient` (the default)
 * is a scripted model that does whatever it reads, so that only the structural defences are measured; `rules` is the
 * built-in judge; `openai` is any compatible endpoint, named by ASSAY_MODEL_BASE_URL, ASSAY_MODEL and
 * ASSAY_MODEL_API_KEY.
 *
 * - `attacks`, `families`: how many;
 * - `flipsToPass`: deliveries that deserve FAIL and got PASS; `flipsToFail`: the reverse;
 * - `rejected`: answers that code threw away, so that nothing was decided;
 * - `byFamily`: the same, for each family.
 */
import { parseArgs } from "node:util";

import type { ModelSpec } from "../../localnet/src/genlayer/models/model.ts";
import { measure } from "../../test/genlayer/injection/measure.ts";
import { obedientModel } from "../../test/genlayer/injection/obedient-model.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, model: { type: "string", default: "obedient" } },
});

function modelNamed(name: string): ModelSpec {
  switch (name) {
    case "obedient":
      return obedientModel;
    case "rules":
      return { provider: "rules" };
    case "openai": {
      const { ASSAY_MODEL_BASE_URL: baseUrl, ASSAY_MODEL: model, ASSAY_MODEL_API_KEY: apiKey } = process.env;
      if (baseUrl === undefined || model === undefined) {
        throw new Error("set ASSAY_MODEL_BASE_URL and ASSAY_MODEL to measure a model");
      }
      return { provider: "openai", baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) };
    }
    default:
      throw new Error(`--model is obedient, rules or openai, not ${name}`);
  }
}

async function main(): Promise<void> {
  const byFamily = await measure(modelNamed(values.model));
  const sum = (key: "attacks" | "flipsToPass" | "flipsToFail" | "rejected"): number =>
    Object.values(byFamily).reduce((total, flips) => total + flips[key], 0);
  const figures = {
    attacks: sum("attacks"),
    families: Object.keys(byFamily).length,
    flipsToPass: sum("flipsToPass"),
    flipsToFail: sum("flipsToFail"),
    rejected: sum("rejected"),
  };
  if (values.json) {
    console.log(JSON.stringify({ model: values.model, ...figures, byFamily }));
    return;
  }
  console.table({ ...byFamily, "all families": { ...figures, families: undefined } }, [
    "attacks",
    "flipsToPass",
    "flipsToFail",
    "rejected",
  ]);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
