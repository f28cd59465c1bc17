import type { ExecutionFaultCode, Hex } from "@assay/protocol";
import type { ClaimVector, MissionVector } from "./vectors.ts";

interface ClaimRecord {
  index: number;
  requestHash: string;
  responseHash: string;
  attestation?: string;
  chain?: string;
}

/** A claim whose every value may be changed. */
interface Claim {
  nonce: string;
  steps: { index: number; method: string; pathTemplate: string; auth: boolean }[];
  records: ClaimRecord[];
  terminal: string;
  committedRoot?: string;
}

type Change = (claim: Claim, another: Claim) => void;

const OTHER: Hex = `0x${"99".repeat(32)}`;
const CAPITALS = `0x${"AB".repeat(32)}`;

/** Leaves the recomputable values away, so that only the terminal can tell. */
function unpublished(claim: Claim): void {
  for (const record of claim.records) {
    delete record.attestation;
    delete record.chain;
  }
}

function exchange(items: unknown[], one: number, other: number): void {
  [items[one], items[other]] = [items[other], items[one]];
}

function renumber(claim: Claim): void {
  for (const list of [claim.steps, claim.records]) list.forEach((item, index) => (item.index = index));
}

const CHANGES: [name: string, code: ExecutionFaultCode | null, step: number | null, change: Change][] = [
  ["nothing changed", null, null, () => undefined],
  ["nothing published that can be recomputed", null, null, unpublished],
  ["no root to hold it against", null, null, (claim) => delete claim.committedRoot],
  [
    "published values of another walk, which decide nothing",
    null,
    null,
    (claim) => {
      claim.records[0]!.attestation = OTHER;
      claim.records[3]!.chain = CAPITALS;
    },
  ],

  ["an edited request", "attestation", 2, (claim) => (claim.records[2]!.requestHash = OTHER)],
  ["an edited response", "attestation", 4, (claim) => (claim.records[4]!.responseHash = OTHER)],
  [
    "an edited response, without its attestation",
    "chain",
    4,
    (claim) => {
      claim.records[4]!.responseHash = OTHER;
      delete claim.records[4]!.attestation;
    },
  ],
  [
    "an edited request and nothing published",
    "terminal",
    null,
    (claim) => {
      unpublished(claim);
      claim.records[2]!.requestHash = OTHER;
    },
  ],
  [
    "request and response hash in each other's place",
    "attestation",
    1,
    ({ records: [, record] }) => {
      const { requestHash, responseHash } = record!;
      Object.assign(record!, { requestHash: responseHash, responseHash: requestHash });
    },
  ],

  ["a dropped record", "count", null, (claim) => claim.records.pop()],
  [
    "a dropped step",
    "root",
    null,
    (claim) => {
      claim.steps.pop();
      claim.records.pop();
    },
  ],
  [
    "a dropped step, and no root to hold it against",
    "chain",
    0,
    (claim) => {
      claim.steps.pop();
      claim.records.pop();
      delete claim.committedRoot;
    },
  ],
  ["two records exchanged", "index", 1, (claim) => exchange(claim.records, 1, 2)],
  [
    "two records exchanged and numbered anew",
    "attestation",
    1,
    (claim) => {
      exchange(claim.records, 1, 2);
      renumber(claim);
    },
  ],
  ["two steps exchanged", "step_malformed", 0, (claim) => exchange(claim.steps, 0, 1)],
  [
    "steps and records exchanged and numbered anew",
    "root",
    null,
    (claim) => {
      exchange(claim.steps, 0, 1);
      exchange(claim.records, 0, 1);
      renumber(claim);
    },
  ],
  [
    "a record of another step",
    "attestation",
    3,
    (claim) => (claim.records[3] = { ...claim.records[2]!, index: 3 }),
  ],
  ["records of another mission", "attestation", 0, (claim, another) => (claim.records = another.records)],
  [
    "one record of another mission",
    "attestation",
    4,
    (claim, another) => (claim.records[4] = another.records[4]!),
  ],
  ["another mission's terminal", "terminal", null, (claim, another) => (claim.terminal = another.terminal)],
  [
    "another mission's walk",
    "root",
    null,
    (claim, another) => Object.assign(claim, { ...another, committedRoot: claim.committedRoot }),
  ],
  ["another nonce", "root", null, (claim) => (claim.nonce = OTHER)],
  [
    "another nonce, and no root to hold it against",
    "attestation",
    0,
    (claim) => {
      claim.nonce = OTHER;
      delete claim.committedRoot;
    },
  ],
  ["a wrong root", "root", null, (claim) => (claim.committedRoot = OTHER)],
  ["a wrong terminal", "terminal", null, (claim) => (claim.terminal = OTHER)],
  [
    "the terminal of a step too few",
    "terminal",
    null,
    (claim) => (claim.terminal = claim.records[3]!.chain!),
  ],
  [
    "an extra step",
    "count",
    null,
    (claim) => claim.steps.push({ index: 5, method: "GET", pathTemplate: "/", auth: false }),
  ],
  [
    "an extra record",
    "count",
    null,
    (claim) => claim.records.push({ index: 5, requestHash: OTHER, responseHash: OTHER }),
  ],
  ["a repeated record", "count", null, (claim) => claim.records.splice(1, 0, claim.records[1]!)],
  ["another method", "root", null, (claim) => (claim.steps[0]!.method = "PUT")],
  ["another template", "root", null, (claim) => (claim.steps[0]!.pathTemplate = "/api/v2/agents")],
  ["another flag", "root", null, (claim) => (claim.steps[0]!.auth = true)],
  [
    "another template, and no root to hold it against",
    "attestation",
    0,
    (claim) => {
      claim.steps[0]!.pathTemplate = "/api/v2/agents";
      delete claim.committedRoot;
    },
  ],
  [
    "no steps",
    "no_steps",
    null,
    (claim) => {
      claim.steps = [];
      claim.records = [];
      claim.terminal = claim.committedRoot!;
    },
  ],

  ["a step that is not at its index", "step_malformed", 3, (claim) => (claim.steps[3]!.index = 2)],
  ["a method in small letters", "step_malformed", 0, (claim) => (claim.steps[0]!.method = "get")],
  ["a method of 17 letters", "step_malformed", 0, (claim) => (claim.steps[0]!.method = "A".repeat(17))],
  ["an empty method", "step_malformed", 0, (claim) => (claim.steps[0]!.method = "")],
  [
    "a template of 256 bytes",
    "step_malformed",
    1,
    (claim) => (claim.steps[1]!.pathTemplate = `/${"a".repeat(255)}`),
  ],
  ["an empty template", "step_malformed", 1, (claim) => (claim.steps[1]!.pathTemplate = "")],
  ["a nonce in capitals", "hash_malformed", null, (claim) => (claim.nonce = CAPITALS)],
  [
    "a terminal in capitals",
    "hash_malformed",
    null,
    (claim) => (claim.terminal = `0x${claim.terminal.slice(2).toUpperCase()}`),
  ],
  [
    "a root in capitals",
    "hash_malformed",
    null,
    (claim) => (claim.committedRoot = `0x${claim.committedRoot!.slice(2).toUpperCase()}`),
  ],
  [
    "a request hash in mixed case",
    "hash_malformed",
    1,
    (claim) => (claim.records[1]!.requestHash = `0x${"aB".repeat(32)}`),
  ],
  [
    "a response hash without 0x",
    "hash_malformed",
    1,
    (claim) => (claim.records[1]!.responseHash = claim.records[1]!.responseHash.slice(2)),
  ],
  ["a response hash of 33 bytes", "hash_malformed", 1, (claim) => (claim.records[1]!.responseHash += "00")],
];

/** Claims about the first mission: true ones, and one for each way to tamper with it. */
export function tampered([mission, another]: readonly MissionVector[]): ClaimVector[] {
  return CHANGES.map(([name, code, step, change]) => {
    const claim = claimOf(mission!);
    change(claim, claimOf(another!));
    return { name, claim, code, step } as ClaimVector;
  });
}

function claimOf({ nonce, steps, records, terminal, committedRoot }: MissionVector): Claim {
  return structuredClone({ nonce, steps, records, terminal, committedRoot }) as Claim;
}
