import { readFileSync } from "node:fs";
import { expect } from "chai";
import { CONTRACTS } from "../../../../scripts/mutation/genlayer/coverage.ts";
import { EQUIVALENT, isOf } from "../../../../scripts/mutation/genlayer/equivalent.ts";
import { Python, type PythonMutant } from "../../../../scripts/mutation/genlayer/python.ts";
import { applyMutant, keyOf } from "../../../../scripts/mutation/mutant.ts";

const SOURCE = `"""A docstring stays as it is: 1 < 2."""
import re
from genlayer import *

LIMIT = 8
TAG = b"a/1"
NAME = re.compile(r"[a-z]{1,64}")


def expected(text: str) -> object:
    return text


def check(low: int, value: int) -> bool:
    """Also this one."""
    if not low <= value and value != LIMIT:
        raise expected("out of 1 to 8")
    elif value in (3, low):
        text = "é" + NAME.pattern
        return text[:value] == ""
    return low < value


def hello() -> bytes:
    return TAG
`;

const path = (name: string): URL => new URL(`../../../../${name}`, import.meta.url);

describe("mutants of a Python source", () => {
  let python: Python;
  let mutants: PythonMutant[];
  before(async function () {
    this.timeout(60_000);
    python = await Python.start();
    mutants = python.mutantsOf("a.py", SOURCE);
  });

  it("are what the syntax tree has, and neither docstrings, annotations nor words of errors", () => {
    expect(mutants.map(({ line, operator, after }) => `${line} ${operator}: ${after.trim()}`)).to.deep.equal([
      "5 number + 1: LIMIT = 9",
      "5 number - 1: LIMIT = 7",
      "6 text shortened: TAG = b'/1'",
      '7 repetition + 1: NAME = re.compile(r"[a-z]{1,65}")',
      '7 repetition + 1: NAME = re.compile(r"[a-z]{2,64}")',
      '7 repetition - 1: NAME = re.compile(r"[a-z]{0,64}")',
      '7 repetition - 1: NAME = re.compile(r"[a-z]{1,63}")',
      "11 return emptied: return None",
      "16 != to ==: if not low <= value and value == LIMIT:",
      "16 <= to <: if not low < value and value != LIMIT:",
      "16 and to or: if not low <= value or value != LIMIT:",
      "16 condition negated: if not (not low <= value and value != LIMIT):",
      "16 negation dropped: if low <= value and value != LIMIT:",
      "17 statement dropped: pass",
      "18 in to not in: elif value not in (3, low):",
      "18 number + 1: elif value in (4, low):",
      "18 number - 1: elif value in (2, low):",
      "19 text shortened: text = '' + NAME.pattern",
      '20 == to !=: return text[:value] != ""',
      '20 slice moved: return text[:(value) + 1] == ""',
      "20 statement dropped: pass",
      "20 text added: return text[:value] == '~'",
      "21 < to <=: return low <= value",
      "25 return emptied: return None",
    ]);
  });

  it("change nothing but the lines that they name, and have keys of their own", () => {
    const lines = SOURCE.split("\n");
    for (const mutant of mutants) {
      const changed = applyMutant(SOURCE, mutant).split("\n");
      expect(changed.filter((text, place) => text !== lines[place])).to.deep.equal([mutant.after]);
      expect(python.compared(SOURCE, mutant)).to.equal("different");
    }
    expect(new Set(mutants.map(keyOf)).size).to.equal(mutants.length);
  });

  it("know which statement has to run for them, through the names that constants have", () => {
    const reached = (line: number): number[] => mutants.find((mutant) => mutant.line === line)!.reachedBy;
    const [first] = python.reachedByLine(SOURCE, 16);
    expect(reached(16)).to.deep.equal([first]);
    expect(reached(5)).to.deep.equal([first]);
    expect(reached(7)).to.deep.equal(reached(19));
    expect(reached(6)).to.deep.equal(reached(25));
    expect(python.implied(SOURCE)).to.deep.equal(new Map([[python.reachedByLine(SOURCE, 18)[0], first]]));
  });

  it("that make no other code, or none, are told apart", () => {
    const at = (after: string) => ({ file: "a.py", line: 5, operator: "", before: "LIMIT = 8", after });
    expect(python.compared(SOURCE, at("LIMIT = 0x8"))).to.equal("same");
    expect(python.compared(SOURCE, at("LIMIT = 9"))).to.equal("different");
    expect(python.compared(SOURCE, at("LIMIT = "))).to.equal("invalid");
  });

  it("of the contracts include every one that is written down as changing nothing", function () {
    this.timeout(60_000);
    const all = CONTRACTS.flatMap((file) => python.mutantsOf(file, readFileSync(path(file), "utf8")));
    for (const item of EQUIVALENT) {
      expect(
        all.filter((mutant) => isOf(item, mutant)).length,
        `${item.scope}: ${item.after}`,
      ).to.be.at.least(1);
      expect(item.reason).to.match(/^\w.{15,}/);
    }
  });
});
