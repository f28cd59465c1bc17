import { readFileSync } from "node:fs";
import {
  adjudicationKey,
  type Agreement,
  canonicalize,
  documentHash,
  encodeDocument,
  sha256,
  type Submission,
  toAddress,
} from "@assay/protocol";
import { type Case, type Need, type Observation, SETTINGS, type Step, type Value } from "./case.ts";

const SOURCE = readFileSync(
  new URL("../../contracts-genlayer/agreement_verifier.py", import.meta.url),
  "utf8",
);

const AGREEMENT_ID = `0x${"a1".repeat(32)}` as const;
const ESCROW = toAddress(`0x${"e5".repeat(20)}`);
const EVM_CHAIN_ID = 31337;
const RELAYER = toAddress(SETTINGS.sender);
const STATUS_URL = "https://status.example/";
const LINK_TEXT = "The reset is tested.\n";

type Requirement = Agreement["requirements"][number];

const CHECKED: Requirement = {
  id: "REQ-1",
  text: "The file holds the test.",
  check: { type: "string_present", needle: "expiresAt <= now" },
};
const JUDGED: Requirement = { id: "REQ-2", text: "The code tests the expiry." };
const QUOTE = "if (token.expiresAt <= now) throw new Error();";

/** The exact texts that `adjudicate` is called with, and what follows from them. */
interface Documents {
  readonly agreement: string;
  readonly submission: string;
  readonly key: string;
}

function documents(requirements: readonly Requirement[], changes: Partial<Submission> = {}): Documents {
  const agreement: Agreement = {
    schema: "assay/agreement/1",
    title: "Password reset",
    task: "Write a password reset.",
    requirements: [...requirements],
    evidenceRequired: [],
    adjudication: {
      network: "localnet",
      chainId: Number(SETTINGS.chainId),
      consensusMain: toAddress(`0x${"c1".repeat(20)}`),
      contract: toAddress(SETTINGS.contract),
      codeHash: `0x${"0c".repeat(32)}`,
      relayers: [RELAYER],
      minValidators: 5,
      rounds: 2,
    },
  };
  const submission: Submission = {
    schema: "assay/submission/1",
    agreementId: AGREEMENT_ID,
    summary: "Done.",
    files: { "src/reset.ts": `export function reset(): void {\n  ${QUOTE}\n}\n` },
    links: [],
    evidence: [],
    ...changes,
  };
  return withKey(textOf(encodeDocument(agreement)), textOf(encodeDocument(submission)));
}

function withKey(agreement: string, submission: string): Documents {
  const key = adjudicationKey({
    chainId: EVM_CHAIN_ID,
    escrow: ESCROW,
    agreementId: AGREEMENT_ID,
    agreementHash: documentHash(Buffer.from(agreement)),
    submissionHash: documentHash(Buffer.from(submission)),
  });
  return { agreement, submission, key };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

interface Result {
  readonly id: string;
  readonly result: "PASS" | "FAIL" | "NOT_JUDGED";
  readonly decidedBy: "check" | "model" | "none";
  readonly check?: string;
  readonly detail?: string;
}

/** What `get_record` answers once `docs` has been judged first. */
function recordOf(
  docs: Documents,
  outcome: "PASS" | "FAIL",
  requirements: readonly Result[],
  notes = "",
  evidence: readonly Value[] = [],
): Value {
  const record = canonicalize({
    schema: "assay/adjudication/1",
    adjudicationKey: docs.key,
    agreementHash: documentHash(Buffer.from(docs.agreement)),
    agreementId: AGREEMENT_ID,
    chainId: EVM_CHAIN_ID,
    escrow: ESCROW,
    submissionHash: documentHash(Buffer.from(docs.submission)),
    relayer: RELAYER,
    sequence: 1,
    outcome,
    requirements: requirements.map((item) => ({ ...item })),
    evidence: evidence as never,
  });
  return {
    version: 1,
    sequence: 1,
    sender: RELAYER,
    key: docs.key,
    record,
    adjudicationHash: sha256(Buffer.from(record)),
    notes,
  };
}

const DEPLOY: Step = { kind: "deploy", expect: { return: null } };

function adjudicate(docs: Documents, expect: Observation, more: Partial<Step> = {}): Step {
  const args = [AGREEMENT_ID, EVM_CHAIN_ID, ESCROW, docs.agreement, docs.submission];
  return { kind: "write", method: "adjudicate", args, expect, ...more };
}

function record(docs: Documents, expected: Value): Step {
  return { kind: "read", method: "get_record", args: [RELAYER, docs.key], expect: { return: expected } };
}

function records(docs: Documents, expected: readonly Value[]): Step {
  return { kind: "read", method: "get_records", args: [docs.key, 0, 10], expect: { return: expected } };
}

function absent(docs: Documents): Value {
  return {
    version: 0,
    sequence: 0,
    sender: RELAYER,
    key: docs.key,
    record: "",
    adjudicationHash: "",
    notes: "",
  };
}

function answer(met: boolean | string, quote = QUOTE, note = "It is there."): string {
  return JSON.stringify({ requirements: { "REQ-2": { met, quote, note } }, score: 90 });
}

const BY_CHECK: Result = {
  id: "REQ-1",
  result: "PASS",
  decidedBy: "check",
  check: "string_present",
  detail: "found in 1 of 1 files",
};

/** The judge's own source: outcomes, refusals, errors by class, and how validators vote on each. */
export function verifierCases(): Case[] {
  const checked = documents([CHECKED]);
  const failing = documents([{ ...CHECKED, check: { type: "file_exists", path: "missing.ts" } }, JUDGED]);
  const judged = documents([JUDGED]);
  const status = documents([
    { id: "REQ-1", text: "It is up.", check: { type: "http_status", url: STATUS_URL, status: 200 } },
  ]);
  const linked = documents([JUDGED], {
    files: {},
    links: [
      {
        url: "https://docs.example/a.txt",
        sha256: sha256(Buffer.from(LINK_TEXT)),
        bytes: Buffer.byteLength(LINK_TEXT),
      },
    ],
  });
  const linkedPage = { "https://docs.example/a.txt": { status: 200, body: LINK_TEXT } };
  const otherPage = { "https://docs.example/a.txt": { status: 200, body: "Something else.\n" } };
  const loose = withKey(judged.agreement.replace("{", "{ "), judged.submission);
  const up = { web: { [STATUS_URL]: { status: 200 } } };
  const down = { web: { [STATUS_URL]: { status: 503 } } };

  const judgedRecord = recordOf(
    judged,
    "PASS",
    [{ id: "REQ-2", result: "PASS", decidedBy: "model" }],
    "score 90 of 100\nREQ-2: It is there.",
  );

  return [
    item("PASS by a check alone", [
      DEPLOY,
      adjudicate(checked, { return: null, votes: ["agree"] }, { validators: [{}] }),
      record(checked, recordOf(checked, "PASS", [BY_CHECK])),
      records(checked, [{ sender: RELAYER, sequence: 1, outcome: "PASS" }]),
    ]),
    item("FAIL by a check, without a model", [
      DEPLOY,
      adjudicate(failing, { return: null, votes: ["agree"] }, { validators: [{}] }),
      record(
        failing,
        recordOf(failing, "FAIL", [
          { id: "REQ-1", result: "FAIL", decidedBy: "check", check: "file_exists", detail: "no such file" },
          { id: "REQ-2", result: "NOT_JUDGED", decidedBy: "none" },
        ]),
      ),
    ]),
    item("PASS by the model, prose aside", [
      DEPLOY,
      adjudicate(
        judged,
        { return: null, votes: ["agree", "disagree", "disagree", "disagree"] },
        {
          model: [answer(true)],
          validators: [
            { model: [answer("true", QUOTE, "Other words.")] },
            { model: [answer(false, "")] },
            { model: ["no JSON"] },
            { model: [{ error: "transient" }] },
          ],
        },
      ),
      record(judged, judgedRecord),
    ]),
    item("FAIL by the model", [
      DEPLOY,
      adjudicate(
        judged,
        { return: null, votes: ["agree", "disagree"] },
        {
          model: [answer(false, "")],
          validators: [{ model: [answer(false, "")] }, { model: [answer(true)] }],
        },
      ),
      record(
        judged,
        recordOf(
          judged,
          "FAIL",
          [{ id: "REQ-2", result: "FAIL", decidedBy: "model" }],
          "score 90 of 100\nREQ-2: It is there.",
        ),
      ),
    ]),
    item(
      "a quote that is not there is a model's error, on which nobody agrees",
      [
        DEPLOY,
        adjudicate(
          judged,
          {
            userError: "[LLM_ERROR] REQ-2: the quote is not in the submission",
            votes: ["disagree", "disagree"],
          },
          {
            model: [answer(true, "this is not in the file")],
            validators: [{ model: [answer(true, "this is not in the file")] }, { model: [answer(true)] }],
          },
        ),
        record(judged, absent(judged)),
      ],
      ["leader-error"],
    ),
    item(
      "an answer that is no JSON is a model's error",
      [
        DEPLOY,
        adjudicate(
          judged,
          { userError: "[LLM_ERROR] the model gave no answer" },
          { model: ["I think that it passes."] },
        ),
      ],
      ["leader-error"],
    ),
    item(
      "a model that is not available is agreed on by those who meet it too",
      [
        DEPLOY,
        adjudicate(
          judged,
          { userError: "[TRANSIENT] the model is not available", votes: ["agree", "disagree"] },
          {
            model: [{ error: "transient" }],
            validators: [{ model: [{ error: "transient" }] }, { model: [answer(true)] }],
          },
        ),
        record(judged, absent(judged)),
      ],
      ["leader-error"],
    ),
    item("http_status: each validator's own", [
      DEPLOY,
      adjudicate(
        status,
        { return: null, votes: ["agree", "disagree", "disagree"] },
        { ...up, validators: [up, down, {}] },
      ),
      record(
        status,
        recordOf(status, "PASS", [
          { id: "REQ-1", result: "PASS", decidedBy: "check", check: "http_status", detail: "status 200" },
        ]),
      ),
    ]),
    item("a linked document, by hash", [
      DEPLOY,
      adjudicate(
        linked,
        { return: null, votes: ["agree", "disagree"] },
        {
          model: [answer(true, "The reset is tested.")],
          web: linkedPage,
          validators: [
            { model: [answer(true, "The reset is tested.")], web: linkedPage },
            { model: [answer(true, "The reset is tested.")], web: otherPage },
          ],
        },
      ),
      record(
        linked,
        recordOf(
          linked,
          "PASS",
          [{ id: "REQ-2", result: "PASS", decidedBy: "model" }],
          "score 90 of 100\nREQ-2: It is there.",
          [
            {
              url: "https://docs.example/a.txt",
              sha256: sha256(Buffer.from(LINK_TEXT)),
              status: 200,
              result: "used",
            },
          ],
        ),
      ),
    ]),
    item("a sender that the agreement does not name", [
      DEPLOY,
      adjudicate(
        checked,
        {
          userError: `[EXPECTED] sender: the agreement does not name ${toAddress(`0x${"66".repeat(20)}`)} as a relayer`,
        },
        { sender: `0x${"66".repeat(20)}` },
      ),
    ]),
    item("a second record of one key", [
      DEPLOY,
      adjudicate(checked, { return: null }),
      adjudicate(checked, { userError: `[EXPECTED] key: this sender has a record of it: ${checked.key}` }),
      records(checked, [{ sender: RELAYER, sequence: 1, outcome: "PASS" }]),
    ]),
    item("an agreement that is not canonical", [
      DEPLOY,
      adjudicate(loose, { userError: "[EXPECTED] agreement is not in canonical form (RFC 8785)" }),
    ]),
    item("a chain id that is no integer", [
      DEPLOY,
      {
        kind: "write",
        method: "adjudicate",
        args: [AGREEMENT_ID, "31337", ESCROW, checked.agreement, checked.submission],
        expect: { userError: "[EXPECTED] chain_id: must be an integer" },
      },
    ]),
    item("views refuse what is malformed", [
      DEPLOY,
      {
        kind: "read",
        method: "get_records",
        args: [checked.key, 0, 101],
        expect: { userError: "[EXPECTED] limit: must be 1 to 100" },
      },
      records(checked, []),
    ]),
  ];
}

function item(name: string, steps: readonly Step[], needs: readonly Need[] = []): Case {
  return { id: `verifier: ${name}`, source: SOURCE, needs, steps };
}
