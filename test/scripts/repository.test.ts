import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "../..");
const SELF = "test/scripts/repository.test.ts";

/** Every text file that git tracks, or would track, and its lines. */
function* lines(pattern: RegExp): Generator<{ where: string; line: string }> {
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const names = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], options);
  for (const name of names.split("\n")) {
    if (!pattern.test(name) || name === SELF) continue;
    let text: string;
    try {
      text = readFileSync(join(ROOT, name), "utf8");
    } catch {
      continue; // Deleted, and not committed yet.
    }
    for (const [index, line] of text.split("\n").entries()) yield { where: `${name}:${index + 1}`, line };
  }
}

/** Lines of files that match, as "file:line text". */
const find = (files: RegExp, text: RegExp): string[] =>
  [...lines(files)].filter(({ line }) => text.test(line)).map(({ where, line }) => `${where} ${line.trim()}`);

describe("the repository", () => {
  it("puts nothing off", () => {
    expect(find(/\.(ts|js|py|sol|md|json|graphql|yaml)$/, /\b(TODO|FIXME|XXX)\b/)).to.deep.equal([]);
  });

  it("skips no test and singles none out", () => {
    expect(
      find(/^test\/.*\.ts$/, /\b(it|describe|context)\.(skip|only)\b|\b(xit|xdescribe|fit)\(/),
    ).to.deep.equal([]);
  });

  it("names no address to fetch packages from, and pins every version", () => {
    expect(find(/^package-lock\.json$/, /"resolved": "https?:/)).to.deep.equal([]);
    expect(find(/(^|\/)package\.json$/, /": "[\^~]\d/)).to.deep.equal([]);
  });
});
