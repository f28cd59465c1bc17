import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { STATE_NAMES } from "../../../oracle/src/core/index.ts";
import { SETTING_NAMES } from "../../../oracle/src/config/index.ts";
import { COMPONENTS, INVARIANTS } from "../../../oracle/src/observe/index.ts";
import { createWorld, type World } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const groups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = ""]) => group);

/** Sentences with which a submission is parked, as far as they never change, each with the file that says it. */
const REASONS = [
  [
    "documents/collect.ts",
    "the agreement's document could not be had from any source during the document window",
  ],
  ["documents/collect.ts", "this operator serves"],
  ["documents/collect.ts", "is its buyer or seller"],
  ["documents/collect.ts", "the recorder of the agreement's execution is its buyer or seller"],
  ["documents/collect.ts", "the judge's code has hash"],
  ["relay/receipt.ts", "another transaction of the relayer's account took the send's nonce"],
  ["relay/receipt.ts", "the send was reverted by ConsensusMain"],
  ["relay/receipt.ts", "the send's receipt announces no GenLayer transaction"],
  ["judge/assess.ts", "the judge transaction was cancelled"],
  ["settle/prepare.ts", "the delivery would revert with"],
  ["settle/watch.ts", "the settlement reverted although the escrow waits for it"],
  ["settle/watch.ts", "another transaction of the account took the settlement's nonce"],
  ["run/runner.ts", "gave up after"],
] as const;

describe("alerts and runbook", () => {
  const alerts = read("oracle/alerts.yaml");
  const runbook = read("docs/runbook.md");
  const names = groups(alerts, /^ +- alert: (\w+)$/gm);
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(() => world.end());

  it("every alert measures what the operator exposes", async () => {
    const operator = await world.start();
    const exposed = groups(await (await fetch(`${operator.url}/metrics`)).text(), /^# TYPE (\w+) /gm);
    const used = groups(alerts, /\b(assay_[a-z_]+)\b/g).map((name) =>
      name.replace(/_(count|sum|bucket)$/, ""),
    );
    expect(new Set(used).size).to.be.greaterThan(10);
    expect(used.filter((name) => !exposed.includes(name))).to.deep.equal([]);
    const states = groups(alerts, /state=~?"([A-Z_|]+)"/g).flatMap((text) => text.split("|"));
    expect(STATE_NAMES).to.include.members(states);
  });

  it("every alert has a name of its own, a severity and a row of the runbook", () => {
    expect(names.length).to.be.greaterThan(15);
    expect(new Set(names).size).to.equal(names.length);
    expect(
      groups(alerts, /severity: (\w+)/g).filter((level) => level !== "page" && level !== "ticket"),
    ).to.deep.equal([]);
    expect(groups(runbook, /^\| `(Assay\w+)` \|/gm)).to.have.members(names);
  });

  it("every component of readiness has a row of the runbook", () => {
    expect(groups(runbook, /^\| `([a-z]+)` \|/gm)).to.have.members([...COMPONENTS]);
  });

  it("every invariant is explained", () => {
    for (const invariant of INVARIANTS) expect(runbook).to.include(`\`${invariant}\``);
  });

  for (const [file, reason] of REASONS)
    it(`the runbook explains "${reason}", and ${file} says so`, () => {
      expect(read(`oracle/src/${file}`)).to.include(reason);
      expect(runbook).to.include(reason);
    });

  it("every exit code is explained", () => {
    for (const code of [0, 1, 75]) expect(runbook).to.match(new RegExp(`^\\| ${code} \\|`, "m"));
  });

  it("names settings that exist", () => {
    const used = groups(runbook, /`(ASSAY_[A-Z0-9_]+)`?/g);
    expect(used.filter((name) => !(SETTING_NAMES as readonly string[]).includes(name))).to.deep.equal([]);
  });
});
