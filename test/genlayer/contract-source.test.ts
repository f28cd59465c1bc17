import { expect } from "chai";
import { run, valueOf } from "./support/executor.ts";
import { RESPONSIBILITY } from "./support/responsibility.ts";
import { VERIFIER } from "./support/verifier.ts";

/** The linter rules of GenVM contracts, checked on the syntax tree by Python's own parser inside the executor. */
const LINT = `
from genlayer import *
import dataclasses

class Lint(gl.Contract):
    @gl.public.view
    def check(self, source: str) -> list:
        return findings(source)

FORBIDDEN_IMPORTS = set("random os sys subprocess threading asyncio socket http requests pickle tempfile pathlib io builtins time uuid datetime secrets".split())
ALLOWED_IMPORTS = set("hashlib json re dataclasses itertools genlayer".split())
NONDET_ENTRY = set(["run_nondet_unsafe", "strict_eq"])

def findings(source: str) -> list:
    ast = dataclasses.inspect.ast
    tree = ast.parse(source)
    out = []
    lines = source.split("\\n")
    if lines[0] != "# v0.2.16" or not lines[1].startswith('# { "Depends": "py-genlayer:') or ":test" in lines[1] or ":latest" in lines[1]:
        out.append("header")
    functions = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    def calls(node):
        found = set()
        for item in ast.walk(node):
            if isinstance(item, ast.Call):
                text = ast.unparse(item.func)
                found.add(text)
        return found
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            for name in names:
                top = name.split(".")[0]
                if top in FORBIDDEN_IMPORTS or top not in ALLOWED_IMPORTS:
                    out.append("import " + name)
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            out.append("float " + str(node.value))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            out.append("division " + ast.unparse(node))
        if isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            for word in ("emit", "emit_transfer", "payable", "upgraders", "get_contract_at", "deploy_contract", "spawn_sandbox"):
                if node.attr == word:
                    out.append("uses " + text)
        if isinstance(node, ast.Call):
            text = ast.unparse(node.func)
            if text == "json.dumps" and isinstance(node.args[0], ast.Dict) and not any(k.arg == "sort_keys" for k in node.keywords):
                out.append("unsorted " + ast.unparse(node))
            if text in ("float", "hash", "id", "eval", "exec", "open"):
                out.append("calls " + text)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            text = ast.unparse(node.exc.func)
            if text in vars(dataclasses.inspect.builtins):
                out.append("raises " + text)
    # Every function that reaches gl.nondet may be called only from leader or validator functions, or from others like it.
    reach = {name for name, node in functions.items() if any(c.startswith("gl.nondet.") for c in calls(node))}
    grown = True
    while grown:
        more = {name for name, node in functions.items() if name not in reach and name not in ("leader", "validator") and calls_outside_blocks(ast, node) & reach}
        grown = bool(more)
        reach |= more
    contract = [n for n in tree.body if isinstance(n, ast.ClassDef) and any(ast.unparse(b) == "gl.Contract" for b in n.bases)]
    if len(contract) != 1:
        out.append("contract classes " + str(len(contract)))
    for method in contract[0].body:
        if isinstance(method, ast.FunctionDef) and method.name in reach:
            out.append("nondet reachable from " + method.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in ("leader", "validator", "fetch") and "self" in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
            out.append("self in block " + node.name)
    return out

def calls_outside_blocks(ast, node):
    """Names that a function calls, those inside the block functions that it defines left out."""
    inner = {id(x) for n in ast.walk(node) if isinstance(n, ast.FunctionDef) and n is not node for x in ast.walk(n)}
    return {ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call) and id(n) not in inner}
`;

async function findings(source: string): Promise<unknown> {
  return valueOf(await run(LINT, "read", { method: "check", args: [source] }));
}

describe("agreement_verifier.py as source", () => {
  it("keeps GenVM's linter rules", async () => {
    expect(await findings(VERIFIER)).to.deep.equal([]);
  });

  const mutants: [string, (source: string) => string, string][] = [
    ["a header that is not first", (source) => `\n${source}`, "header"],
    ["a debug pin", (source) => source.replace(/py-genlayer:[0-9a-z]+/, "py-genlayer:test"), "header"],
    [
      "a forbidden import",
      (source) => source.replace("import hashlib", "import hashlib\nimport random"),
      "import random",
    ],
    ["a float", (source) => source.replace("MAX_DETAIL = 160", "MAX_DETAIL = 160.5"), "float 160.5"],
    ["a division", (source) => source.replace("self.count + 1", "self.count / 1"), "division self.count / 1"],
    [
      "a model call outside a block",
      (source) => source.replace("        judged = None\n", "        judged = ask_model('x')\n"),
      "nondet reachable from adjudicate",
    ],
    [
      "payable",
      (source) => source.replace("@gl.public.write\n", "@gl.public.write.payable\n"),
      "uses gl.public.write.payable",
    ],
  ];
  for (const [name, mutate, finding] of mutants) {
    it(`is found out for ${name}`, async () => {
      expect(await findings(mutate(VERIFIER))).to.include(finding);
    });
  }
});

describe("responsibility.py as source", () => {
  it("keeps GenVM's linter rules", async () => {
    expect(await findings(RESPONSIBILITY)).to.deep.equal([]);
  });

  // GenVM takes one file a contract, so what both need stands in both.
  it("has the verifier's own text wherever a function has the same name", () => {
    const [own, verifier] = [functionsOf(RESPONSIBILITY), functionsOf(VERIFIER)];
    const shared = [...own.keys()].filter((name) => verifier.has(name));
    expect(shared).to.include.members([
      "keccak256",
      "recover",
      "by_consensus",
      "parse_answer",
      "length_prefixed",
    ]);
    for (const name of shared.filter((candidate) => !DIFFER_ON_PURPOSE.includes(candidate))) {
      expect(own.get(name), name).to.equal(verifier.get(name));
    }
  });
});

/** Other texts and other records under the same names. */
const DIFFER_ON_PURPOSE = ["build_prompt", "judge_by_consensus", "record_id", "take_text"];

/** The top-level functions of a Python source by name. */
function functionsOf(source: string): Map<string, string> {
  return new Map(
    [...source.matchAll(/^def (\w+)\([\s\S]*?(?=^[^\s)])/gm)].map((match) => [match[1]!, match[0]]),
  );
}
