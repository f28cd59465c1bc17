import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })];
const OPERATIONS = globSync("docs/protocol/operations/*.md", { cwd: ROOT });
const INTERFACES = globSync("contracts-evm/interfaces/*.sol", { cwd: ROOT });

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Every first group of a pattern. */
const groups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group]) => group ?? "");

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (path: string): string[] =>
  groups(read(path), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

describe("documentation", () => {
  for (const page of PAGES) {
    it(`${page} links to nothing that is missing`, () => {
      const missing = groups(read(page), /\]\(([^)\s]+)\)/g).filter((link) => {
        if (/^[a-z]+:/.test(link)) return false;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      });
      expect(missing).to.deep.equal([]);
    });

    it(`${page} names no test that is missing`, () => {
      const named = groups(read(page), /(test\/[\w./-]+\.(?:ts|sol|py|json))\b/g);
      expect(named.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
    });
  }

  it("has a page of operations for every error and every event of the interfaces", () => {
    const pages = OPERATIONS.map(read).join("\n");
    const names = INTERFACES.flatMap((path) => groups(read(path), /^\s*(?:error|event) (\w+)\(/gm));
    expect(names).to.include.members(["FundingMismatch", "Certified"]);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(pages))).to.deep.equal([]);
  });

  it("states the gas that the snapshot says", () => {
    const snapshot = JSON.parse(read("test/evm/gas-snapshot.json")) as Record<string, number>;
    const table = read("docs/gas.md");
    for (const [name, gas] of Object.entries(snapshot)) {
      expect(table, name).to.include(`| \`${name}\` | ${gas.toLocaleString("en-US")} |`);
    }
    for (const page of OPERATIONS) {
      for (const [, name = "", stated] of read(page).matchAll(/`(\w+)` ([\d,]{5,})(?!\d)/g)) {
        expect(stated?.replace(/,+$/, ""), `${page}: ${name}`).to.equal(
          snapshot[name]?.toLocaleString("en-US"),
        );
      }
    }
  });
});
