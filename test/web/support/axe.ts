import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[];
  }[];
}

/** Fails unless axe finds nothing against WCAG 2.2 AA on the page as it stands. */
export async function checkAccess(page: Page): Promise<void> {
  await page.evaluate(SOURCE);
  const { violations } = await page.evaluate(
    (tags) =>
      (window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
        runOnly: { type: "tag", values: tags },
      }),
    TAGS,
  );
  const found = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ target, failureSummary = "" }) => `  ${JSON.stringify(target)} ${failureSummary.replaceAll("\n", " ")}`).join("\n")}`,
  );
  expect(found.join("\n"), "accessibility").to.equal("");
}
