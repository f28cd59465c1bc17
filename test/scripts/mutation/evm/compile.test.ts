import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { CompileError, Compiler, sameCode } from "../../../../scripts/mutation/evm/compile.ts";

const HEADER = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.30;\n";
const LIBRARY = `${HEADER}library L { function f(uint256 a) internal pure returns (uint256) { return a + 1; } }`;
const CONTRACT = `${HEADER}import {L} from "./lib/L.sol";
contract C { function g(uint256 a) external pure returns (uint256) { return L.f(a); } }`;

describe("the compiler of mutants", () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "assay-compile-"));
    mkdirSync(join(root, "src/lib"), { recursive: true });
    writeFileSync(join(root, "src/C.sol"), CONTRACT);
    writeFileSync(join(root, "src/lib/L.sol"), LIBRARY);
    symlinkSync(
      fileURLToPath(new URL("../../../../node_modules", import.meta.url)),
      join(root, "node_modules"),
    );
  });
  after(() => rmSync(root, { recursive: true }));

  it("knows what a contract is made of", () => {
    expect([...new Compiler(root).closureOf("src/C.sol")]).to.deep.equal(["src/C.sol", "src/lib/L.sol"]);
  });

  it("compiles a change of a library into the contract, and tells it from no change", () => {
    const compiler = new Compiler(root);
    const original = compiler.compile(["src/C.sol"]);
    expect([...original.keys()]).to.deep.equal(["src/C.sol:C"]);
    const change = (text: string) => compiler.compile(["src/C.sol"], new Map([["src/lib/L.sol", text]]));
    expect(sameCode(original, change(`${LIBRARY} // a comment`))).to.equal(true);
    expect(sameCode(original, change(LIBRARY.replace("a + 1", "a - 1")))).to.equal(false);
  });

  it("says when two programs are one to the optimizer", () => {
    const compiler = new Compiler(root);
    const change = new Map([["src/lib/L.sol", LIBRARY.replace("a + 1", "1 + a")]]);
    const [plain, optimized] = [false, true].map((optimize) =>
      sameCode(
        compiler.compile(["src/C.sol"], undefined, optimize),
        compiler.compile(["src/C.sol"], change, optimize),
      ),
    );
    expect(plain).to.equal(false);
    expect(optimized).to.equal(true);
  });

  it("refuses what doesn't compile, with the compiler's words", () => {
    const broken = new Map([["src/lib/L.sol", LIBRARY.replace("return a", "return b")]]);
    expect(() => new Compiler(root).compile(["src/C.sol"], broken)).to.throw(
      CompileError,
      "Undeclared identifier",
    );
  });
});
