import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { buildPage } from "../../../web/host/build.ts";
import { PAGE_FOLDER } from "@assay/web";

/** Bytes of gzipped JavaScript. */
const BAR = 250 * 1024;

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
  let entries: string[];

  before(async () => {
    await buildPage();
    const html = read("index.html").toString();
    entries = [...html.matchAll(/(?:src|href)="\/([\w./-]+\.js)"/g)].map(([, path = ""]) => path);
  });

  it("loads no more than 250 KiB of JavaScript, gzipped, before anything is shown", () => {
    const scripts = new Set(entries.flatMap((path) => [...statically(path)]));
    expect(scripts.size).to.be.greaterThan(1);
    expect(gzipped(scripts)).to.be.at.most(BAR);
  });

  for (const page of ["home", "agreement", "party", "verdict", "totals", "recompute"]) {
    it(`loads no more than that for the ${page} page with everything that it shows at once`, () => {
      const main = entries.find((path) => path.includes("/index-")) ?? "";
      const chunk = new RegExp(`\\./(${page}-page-[\\w-]+\\.js)`).exec(read(main).toString())?.[1];
      expect(chunk, `the chunk of ${page}`).to.be.a("string");
      const scripts = new Set([...entries, `assets/${chunk ?? ""}`].flatMap((path) => [...statically(path)]));
      expect(gzipped(scripts)).to.be.at.most(BAR);
    });
  }

  it("has no script or style inside its document", () => {
    const html = read("index.html").toString();
    expect(html).not.to.match(/<script(?![^>]*\bsrc=)/);
    expect(html).not.to.match(/<style|style=|\son\w+=/);
  });
});
