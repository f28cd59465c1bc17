import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry, Journal } from "../journal.ts";
import type { Mutant } from "../mutant.ts";
import type { Lane, Target } from "../target.ts";
import { Campaign } from "./campaign.ts";
import { mutantsOf } from "./mutate.ts";
import { Workshop } from "./workshop.ts";

/** The Solidity contracts. */
export function evmTarget(root: string): Target {
  const workshops: Workshop[] = [];
  let campaign: Campaign | undefined;
  return {
    journal: join(root, ".assay/mutation.jsonl"),

    mutants() {
      // Interfaces and types hold nothing that runs
      const files = globSync("contracts-evm/**/*.sol", { cwd: root })
        .filter((file) => !/\/(interfaces|types)\//.test(file))
        .sort();
      return Promise.resolve(
        files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), "utf8"))),
      );
    },

    async prepare(journal: Journal, jobs: number): Promise<Lane[]> {
      const pristine = Workshop.build(root);
      workshops.push(pristine);
      const started = new Campaign(pristine, journal);
      campaign = started;
      await started.prepare();
      return Array.from({ length: jobs }, () => {
        const workshop = pristine.clone();
        workshops.push(workshop);
        return (mutant: Mutant) => started.decide(mutant, workshop);
      });
    },

    recall: (mutant: Mutant): Entry | undefined => campaign?.recall(mutant),
    // Every kill was confirmed on the unchanged code
    conclude: () => Promise.resolve(),
    reasonFor: () => undefined,
    close: () => workshops.splice(0).forEach((workshop) => workshop.close()),
  };
}
