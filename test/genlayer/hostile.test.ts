import { canonicalize } from "@assay/protocol";
import { expect } from "chai";
import fc from "fast-check";
import { fullDocument } from "../protocol/support/vectors.ts";
import { textOf } from "./support/executor.ts";
import { adjudicate, agreement, caseOf, submission } from "./support/verifier.ts";

/** Everything in a document that can be replaced: the steps to it from the root. */
function placesIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    path,
    ...keys.flatMap((key) => placesIn((value as Record<string | number, unknown>)[key], [...path, key])),
  ];
}

/** A copy of `document` with `value` at `path`. */
function replaced(document: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const copy: unknown = structuredClone(document);
  const parent = copy as Record<string | number, unknown>;
  parent[step] = replaced(parent[step], rest, value);
  return copy;
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  2 ** 53 - 1,
  "",
  "\u0000",
  "x".repeat(70_000),
  "\u202e",
  "constructor",
  "__proto__",
  [],
  {},
  [[]],
  [null],
  { type: "regex", pattern: "(" },
  { type: "regex" },
  { type: [] },
  { schema: 1 },
  "0x",
  "0xffffffffffffffffffffffffffffffffffffffff",
];

describe("AgreementVerifier and hostile input", () => {
  it("meets every document that is not what it should be with an [EXPECTED] error", async () => {
    const documents = (["agreement", "submission"] as const).map((format) => ({
      format,
      document: JSON.parse(
        format === "agreement" ? caseOf().agreement : fullDocument("submission").canonical,
      ) as unknown,
    }));
    const mutation = fc.constantFrom(...documents).chain(({ format, document }) =>
      fc.record({
        format: fc.constant(format),
        document: fc.constant(document),
        path: fc.constantFrom(...placesIn(document)),
        value: fc.constantFrom(...HOSTILE),
      }),
    );
    for (const { format, document, path, value } of fc.sample(mutation, { seed: 7, numRuns: 80 })) {
      const text = canonicalize(replaced(document, path, value));
      const result = await adjudicate(caseOf(undefined, undefined, { [format]: text }));
      const name = `${format} ${path.join(".")} = ${JSON.stringify(value).slice(0, 40)}`;
      expect(result.kind, `${name}: ${result.stderr}`).to.be.oneOf(["user-error", "return"]);
      if (result.kind === "user-error") expect(textOf(result), name).to.match(/^\[(EXPECTED|LLM_ERROR)\] /);
    }
  }).timeout(60_000);

  it("meets every argument that is not what it should be with an [EXPECTED] error", async () => {
    const item = caseOf();
    const changes = [
      { agreementId: "0x" },
      { agreementId: item.agreementId.toUpperCase() },
      { agreementId: 5 },
      { chainId: 0 },
      { chainId: -1 },
      { chainId: "1" },
      { chainId: true },
      { chainId: 2n ** 256n },
      { escrow: "0x12" },
      { escrow: 7 },
      { escrow: null },
      { agreement: "" },
      { agreement: 5 },
      { agreement: item.submission },
      { submission: "{}" },
      { submission: item.agreement },
      { submission: null },
      { agreement: `${item.agreement} ` },
      { submission: `\ufeff${item.submission}` },
    ];
    for (const change of changes) {
      const result = await adjudicate({ ...item, ...change } as typeof item);
      expect(
        [result.kind, result.state],
        JSON.stringify(change, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v)),
      ).to.deep.equal(["user-error", null]);
      expect(textOf(result)).to.match(/^\[EXPECTED\] /);
    }
  });

  it("refuses an agreement that names another judge", async () => {
    const { adjudication } = agreement();
    const other = agreement({ adjudication: { ...adjudication, contract: adjudication.relayers[0]! } });
    expect(textOf(await adjudicate(caseOf(other)))).to.match(
      /^\[EXPECTED\] agreement.adjudication.contract: names another judge/,
    );
  });

  it("judges the largest submission with the most checks within the bounds of a run", async () => {
    const source = Array.from(
      { length: 12_500 },
      (_, index) => `function f${index}() { return "${index}"; }`,
    ).join("\n");
    const requirements = Array.from({ length: 30 }, (_, index) => ({
      id: `R${index}`,
      text: "There.",
      check:
        index % 2 === 0
          ? ({ type: "function_exists", name: `f${index}` } as const)
          : ({ type: "regex", pattern: `f${index}\\(\\) \\{` } as const),
    }));
    const result = await adjudicate(
      caseOf(agreement({ requirements }), submission({ files: { "a.ts": source } })),
    );
    expect(result.kind).to.equal("return");
  }).timeout(30_000);
});
