import { readdirSync, readFileSync } from "node:fs";
import type { Case, Need, Step } from "./case.ts";
import { verifierCases } from "./verifier-cases.ts";

interface CaseFile {
  readonly contract: string;
  readonly cases: readonly {
    readonly name: string;
    readonly needs?: readonly Need[];
    /** Words of the contract's source, and what stands in their place. */
    readonly substitute?: Readonly<Record<string, string>>;
    readonly steps: readonly Step[];
  }[];
}

const HERE = new URL("./", import.meta.url);

/** All cases: those of `cases/`, in the order of their files, and the verifier's. */
export function allCases(): Case[] {
  const files = readdirSync(new URL("cases/", HERE)).sort();
  return [...files.flatMap(readCases), ...verifierCases()];
}

function readCases(name: string): Case[] {
  const file = JSON.parse(readFileSync(new URL(`cases/${name}`, HERE), "utf8")) as CaseFile;
  const source = readFileSync(new URL(`contracts/${file.contract}`, HERE), "utf8");
  return file.cases.map(({ name: title, needs = [], substitute = {}, steps }) => ({
    id: `${name.replace(/\.json$/, "")}: ${title}`,
    source: Object.entries(substitute).reduce((text, [word, by]) => text.replaceAll(word, by), source),
    needs,
    steps,
  }));
}
