import { canonicalize } from "@assay/protocol";
import { expect } from "chai";
import { refusals } from "./support/helpers.ts";
import { agreement, AGREEMENT_ID, submission } from "./support/verifier.ts";

type Json = Record<string, unknown>;

const address = (index: number): string => `0x${String(index).padStart(40, "0")}`;
const hash = `0x${"ab".repeat(32)}`;
const signature = `0x${"ab".repeat(65)}`;
const text = (bytes: number): string => "é".repeat(bytes >> 1) + "x".repeat(bytes & 1);
const word = (length: number): string => "a".repeat(length);
const url = (bytes: number): string => `https://a.example/${word(bytes - 18)}`;
const list =
  (item: (index: number) => unknown) =>
  (length: number): unknown[] =>
    Array.from({ length }, (_, index) => item(index));

const AGREEMENT = {
  ...agreement(),
  category: "code",
  requirements: [
    { id: "NEEDLE", text: "t", check: { type: "string_present", needle: "n", path: "a" } },
    { id: "FUNCTION", text: "t", check: { type: "function_exists", name: "f", language: "python" } },
    { id: "REGEX", text: "t", check: { type: "regex", pattern: "a" } },
    { id: "STATUS", text: "t", check: { type: "http_status", url: url(40), status: 200 } },
    { id: "REPORT", text: "t", check: { type: "reported", reporter: "ci", claim: "c" } },
    { id: "WALK", text: "t", check: { type: "execution_proof" } },
    { id: "MODEL", text: "t" },
  ],
  evidenceRequired: ["e"],
  reporters: [{ id: "ci", address: address(7) }],
  execution: {
    nonce: hash,
    recorder: address(8),
    steps: [{ index: 0, method: "GET", pathTemplate: "/", auth: false }],
  },
} as Json;

const SUBMISSION = {
  ...submission(),
  links: [{ url: url(40), sha256: hash, bytes: 1 }],
  evidence: [{ source: "s", claim: "c", content: "x" }],
  repository: { url: url(40), commit: word(40) },
  reports: [{ reporter: "ci", claim: "c", passed: true, detailHash: hash, signature }],
  execution: {
    attestations: [{ index: 0, requestHash: hash, responseHash: hash }],
    terminal: hash,
    signature,
  },
} as Json;

/** A place in a document, the least and the most that may stand there, and how something of a size is made. */
type Bound = readonly [
  path: string,
  low: number,
  high: number,
  make: (size: number) => unknown,
  rule: string,
];

const number = (size: number): number => size;
const bytes = (low: number, high: number): string => `must have ${low} to ${high} bytes`;
const texts = (path: string, low: number, high: number, make: (size: number) => string = text): Bound => [
  path,
  low,
  high,
  make,
  bytes(low, high),
];
const lists = (path: string, low: number, high: number, item: (index: number) => unknown): Bound => [
  path,
  low,
  high,
  list(item),
  `must be a list of ${low} to ${high}`,
];
const numbers = (path: string, low: number, high: number): Bound => [
  path,
  low,
  high,
  number,
  `must be ${low} to ${high}`,
];
const words = (path: string, high: number, rule: string): Bound => [path, 1, high, word, `must be ${rule}`];

const ID = "an id of 1 to 64 of A-Z a-z 0-9 . _ -";
const SAFE = Number.MAX_SAFE_INTEGER;

const OF_AGREEMENTS: readonly Bound[] = [
  texts("title", 1, 200),
  texts("task", 1, 8000),
  words("category", 64, "1 to 64 of a-z 0-9 -"),
  lists("requirements", 1, 30, (index) => ({ id: `R${index}`, text: "t" })),
  words("requirements.6.id", 64, ID),
  texts("requirements.6.text", 1, 1000),
  texts("requirements.0.check.needle", 1, 1000),
  texts("requirements.0.check.path", 1, 255, word),
  words("requirements.1.check.name", 128, "an identifier"),
  texts("requirements.2.check.pattern", 1, 256),
  numbers("requirements.3.check.status", 100, 599),
  texts("requirements.4.check.claim", 1, 200),
  lists("evidenceRequired", 0, 20, String),
  texts("evidenceRequired.0", 1, 500),
  lists("reporters", 1, 10, (index) => ({
    id: index === 0 ? "ci" : `r${index}`,
    address: address(index + 10),
  })),
  lists("execution.steps", 1, 256, (index) => ({ index, method: "GET", pathTemplate: "/", auth: true })),
  words("execution.steps.0.method", 16, "1 to 16 of A-Z"),
  texts("execution.steps.0.pathTemplate", 1, 255, (size) => `/${word(size)}`.slice(0, size)),
  texts("adjudication.network", 1, 64),
  numbers("adjudication.chainId", 1, SAFE),
  lists("adjudication.relayers", 1, 20, (index) => address(index + 1)),
  numbers("adjudication.minValidators", 1, 1000),
  numbers("adjudication.rounds", 1, 10),
];

const OF_SUBMISSIONS: readonly Bound[] = [
  texts("summary", 0, 20_000),
  lists("links", 0, 5, (index) => ({ url: url(40 + index), sha256: hash, bytes: 0 })),
  ["links.0.url", 18, 2000, url, bytes(1, 2000)],
  numbers("links.0.bytes", 0, SAFE),
  lists("evidence", 0, 20, () => ({ source: "s", claim: "c", content: "" })),
  texts("evidence.0.source", 1, 500),
  texts("evidence.0.claim", 1, 1000),
  texts("evidence.0.content", 0, 20_000),
  lists("reports", 0, 30, (index) => ({ ...(SUBMISSION["reports"] as Json[])[0], claim: `c${index}` })),
  words("reports.0.reporter", 64, "a reporter's id"),
  texts("reports.0.claim", 1, 200),
  ["repository.url", 18, 2000, url, bytes(1, 2000)],
  lists("execution.attestations", 1, 256, () => ({ index: 0, requestHash: hash, responseHash: hash })),
  numbers("execution.attestations.0.index", 0, 255),
];

/** A copy of a document with a value at a place. */
function withValue(document: Json, path: string, value: unknown): string {
  const copy = structuredClone(document);
  const steps = path.split(".");
  const last = steps.pop()!;
  const parent = steps.reduce<Json>((node, step) => node[step] as Json, copy);
  parent[last] = last === "method" ? (value as string).toUpperCase() : value;
  return canonicalize(copy);
}

const read = (format: "agreement" | "submission", documents: string[]): Promise<string[]> =>
  refusals(
    `read_${format}`,
    ...documents.map((one) => (format === "agreement" ? [one] : [one, AGREEMENT_ID])),
  );

describe("AgreementVerifier's bounds", () => {
  for (const [format, document, bounds] of [
    ["agreement", AGREEMENT, OF_AGREEMENTS],
    ["submission", SUBMISSION, OF_SUBMISSIONS],
  ] as const) {
    it(`are those of the format: an ${format} takes the least and the most, and nothing beyond`, async () => {
      const sized = bounds.flatMap(([path, low, high, make]) =>
        [
          low,
          high,
          ...(low === 0 || path.endsWith("url") ? [] : [low - 1]),
          ...(high === SAFE ? [] : [high + 1]),
        ].map((size) => ({
          path,
          size,
          taken: size >= low && size <= high,
          text: withValue(document, path, make(size)),
        })),
      );
      const errors = await read(
        format,
        sized.map((item) => item.text),
      );
      const rules = new Map(bounds.map(([path, , , , rule]) => [path, rule]));
      sized.forEach(({ path, size, taken }, index) => {
        const where = `${format}.${path.replaceAll(/\.(\d+)/g, "[$1]")}`;
        const name = `${where} of ${size}`;
        expect(errors[index], name).to.match(taken ? /^$/ : /^\[EXPECTED\] /);
        // The place of a path in a check and of a file is its own; everything else is named by its member
        if (!taken) expect(errors[index], name).to.equal(`[EXPECTED] ${where}: ${rules.get(path)!}`);
      });
    });
  }

  it("hold for ids of reporters, who are known by them", async () => {
    const named = (id: string): string => {
      const changed = structuredClone(AGREEMENT) as {
        reporters: Json[];
        requirements: { check?: Json }[];
      } & Json;
      changed.reporters[0]!["id"] = id;
      changed.requirements[4]!.check!["reporter"] = id;
      return canonicalize(changed);
    };
    expect(await read("agreement", [named(word(1)), named(word(64))])).to.deep.equal(["", ""]);
    expect(await read("agreement", [named(word(65))])).to.deep.equal([
      `[EXPECTED] agreement.requirements[4].check.reporter: must be a reporter's id`,
    ]);
  });

  it("hold for files: up to 200, with paths of 1 to 255 bytes", async () => {
    const files = (count: number, path = "f"): string =>
      withValue(
        SUBMISSION,
        "files",
        Object.fromEntries(list((index) => [`${path}${index}`, ""])(count) as [string, string][]),
      );
    expect(await read("submission", [files(0), files(200), files(1, word(254))])).to.deep.equal(["", "", ""]);
    expect(await read("submission", [files(201), files(1, word(255))])).to.deep.equal([
      "[EXPECTED] submission.files: must be an object of at most 200",
      "[EXPECTED] submission.files: must have 1 to 255 bytes",
    ]);
  });

  it("hold for commits: 40 or 64 digits and nothing between", async () => {
    const commits = [39, 40, 41, 63, 64, 65].map((length) =>
      withValue(SUBMISSION, "repository.commit", word(length)),
    );
    const refused = "[EXPECTED] submission.repository.commit: must be a full commit id";
    expect(await read("submission", commits)).to.deep.equal([refused, "", refused, refused, "", refused]);
  });

  it("hold for what has a fixed length", async () => {
    const lengths = (path: string, digits: number) =>
      [digits - 1, digits, digits + 1].map((length) => withValue(SUBMISSION, path, `0x${word(length)}`));
    const documents = [
      ...lengths("links.0.sha256", 64),
      ...lengths("reports.0.signature", 130),
      ...lengths("execution.signature", 130),
    ];
    expect((await read("submission", documents)).map((error) => error === "")).to.deep.equal([
      ...[false, true, false],
      ...[false, true, false],
      ...[false, true, false],
    ]);
    const addresses = [39, 40, 41].map((length) =>
      withValue(AGREEMENT, "execution.recorder", `0x${"1".repeat(length)}`),
    );
    expect((await read("agreement", addresses)).map((error) => error === "")).to.deep.equal([
      false,
      true,
      false,
    ]);
  });

  it("hold for whole documents, to the byte", async () => {
    // Thirty needles share what the other members leave
    const sized = (total: number): string => {
      const requirements = list((index) => ({
        id: `R${index}`,
        text: "t".repeat(1000),
        check: { type: "string_present", needle: "n".repeat(Math.floor((total + index) / 30)) },
      }))(30);
      return canonicalize({ ...agreement(), task: "t".repeat(8000), requirements });
    };
    const empty = Buffer.byteLength(sized(30)) - 30;
    const agreements = [65_536, 65_537].map((bytes) => sized(bytes - empty));
    expect(agreements.map((one) => Buffer.byteLength(one))).to.deep.equal([65_536, 65_537]);
    expect(await read("agreement", agreements)).to.deep.equal([
      "",
      "[EXPECTED] agreement has 65537 bytes; at most 65536 are allowed",
    ]);
    const filled = (size: number): string => withValue(SUBMISSION, "files", { a: "x".repeat(size) });
    const submissions = [524_288, 524_289].map((bytes) => filled(bytes - Buffer.byteLength(filled(0))));
    expect(await read("submission", submissions)).to.deep.equal([
      "",
      "[EXPECTED] submission has 524289 bytes; at most 524288 are allowed",
    ]);
  });

  it("hold for nesting and for numbers: 64 levels, 17 characters, 2^53 - 1", async () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    const texts = [
      nested(64),
      nested(65),
      String(SAFE),
      String(-SAFE),
      "9007199254740992",
      "-9007199254740992",
    ];
    expect(await refusals("parse_canonical", ...texts.map((one) => [one, 1000, "document"]))).to.deep.equal([
      "",
      "[EXPECTED] document nests deeper than 64",
      "",
      "",
      "[EXPECTED] document is not strict JSON: an integer beyond 2^53-1",
      "[EXPECTED] document is not strict JSON: an integer beyond 2^53-1",
    ]);
  });

  it("count depth, not brackets: what has closed is not above what follows", async () => {
    const wide = ["[]", "{}", "[{}]"].map((item) => `[${Array.from({ length: 70 }, () => item).join(",")}]`);
    expect(await refusals("parse_canonical", ...wide.map((one) => [one, 1000, "document"]))).to.deep.equal([
      "",
      "",
      "",
    ]);
  });

  it("leave room for checks of files by name and by hash", async () => {
    const checks = [
      { type: "file_exists", path: "a" },
      { type: "file_hash", path: "a", sha256: hash },
    ];
    const requirements = checks.map((check, index) => ({ id: `F${index}`, text: "t", check }));
    expect(await read("agreement", [withValue(AGREEMENT, "requirements", requirements)])).to.deep.equal([""]);
  });

  it("hold for path templates: one name of up to 32 characters in a segment, and dots only beside others", async () => {
    const taken = [`/{${word(32)}}`, `/{_${word(31)}}x`, "/a.%2E", "/...", "/%2E%2E.", "/a/", "/"];
    const refused = [`/{${word(33)}}`, "/.", "/..", "/%2E", "/.%2E", "a", "//", "/a//", "/%2F"];
    const rule = "[EXPECTED] path: must be a path template";
    expect(
      await refusals("take_template", ...[...taken, ...refused].map((one) => [one, "path"])),
    ).to.deep.equal([...taken.map(() => ""), ...refused.map(() => rule)]);
  });
});
