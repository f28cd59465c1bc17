import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect } from "chai";

const SOURCE = resolve(import.meta.dirname, "../../oracle/src");

/** Files that each file of the service imports, types included. */
function importsOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
  return new Map(
    files.map((file) => [
      file,
      [...readFileSync(file, "utf8").matchAll(/\bfrom\s+"(\.[^"]+)"/g)].map((found) =>
        resolve(dirname(file), found[1]!),
      ),
    ]),
  );
}

/** A way from a file back to itself, if there is one. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): readonly string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next);
      if (circle !== null) return circle;
    }
    path.pop();
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle !== null) return circle.map((name) => relative(folderOf(graph), name));
  }
  return null;
}

function folderOf(graph: ReadonlyMap<string, unknown>): string {
  return [...graph.keys()].some((name) => name.startsWith(SOURCE)) ? SOURCE : "/";
}

describe("imports of the service", () => {
  it("finds a circle where there is one", () => {
    const graph = new Map([
      ["/a", ["/b"]],
      ["/b", ["/c"]],
      ["/c", ["/b"]],
    ]);
    expect(circleIn(graph)).to.deep.equal(["b", "c", "b"]);
  });

  it("make no circle, types included: a file inside a layer imports the file that defines, not the folder", () => {
    expect(importsOf(SOURCE).size).to.be.greaterThan(50);
    expect(circleIn(importsOf(SOURCE))).to.equal(null);
  });
});
