import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { buildPage } from "../../../web/host/build.ts";
import { PAGE_FOLDER } from "@assay/web";

/** Bytes of gzipped JavaScript. */
const BAR = 250 * 1024;
const FRAME_BAR = 100 * 1024;

const read = (path: string): Buffer => readFileSync(join(PAGE_FOLDER, path));
const gzipped = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + gzipSync(read(path), { level: 9 }).length, 0);

/** Scripts that a document or a script loads before it can run. */
function statically(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const text = read(path).toString();
  for (const [, name = ""] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    statically(`assets/${name}`, found);
  return found;
}

describe("the size of the page", function () {
  this.timeout(60_000);
  /** Scripts that the document names. */
  let entries: string[];

  before(async () => {
    await buildPage();
    const html = read("index.html").toString();
    entries = [...html.matchAll(/(?:src|href)="\/([\w./-]+\.js)"/g)].map(([, path = ""]) => path);
  });

  const chunk = (name: string): string => {
    const found = readdirSync(join(PAGE_FOLDER, "assets")).filter((file) =>
      new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file),
    );
    expect(found, `the chunk of ${name}`).to.have.lengthOf.at.least(1);
    return `assets/${found.find((file) => frame().includes(file)) ?? found[0] ?? ""}`;
  };
  const frame = (): string => read(entries.find((path) => path.includes("/frame-")) ?? "").toString();
  const all = (paths: readonly string[]): Set<string> =>
    new Set(paths.flatMap((path) => [...statically(path)]));

  it("shows its frame with no more than 100 KiB of JavaScript, gzipped, and with neither ethers nor zod", () => {
    const scripts = all(entries.filter((path) => !path.includes("/core-")));
    expect(scripts.size).to.be.greaterThan(1);
    expect(gzipped(scripts)).to.be.at.most(FRAME_BAR);
    expect(scripts).not.to.include(chunk("core"));
  });

  it("has what every page needs fetched beside its frame", () => {
    expect(entries).to.include(chunk("core"));
  });

  for (const page of [
    "now",
    "new-agreement-page",
    "agreement-page",
    "party-page",
    "verdict-page",
    "totals-page",
    "recompute-page",
  ]) {
    it(`loads no more than 250 KiB for ${page} with everything that it shows at once`, () => {
      const around = ["network", "footing", "wallet-button"];
      expect(gzipped(all([...entries, ...[...around, page].map(chunk)]))).to.be.at.most(BAR);
    });
  }

  it("has no script or style inside its document", () => {
    const html = read("index.html").toString();
    expect(html).not.to.match(/<script(?![^>]*\bsrc=)/);
    expect(html).not.to.match(/<style|style=|\son\w+=/);
  });
});
