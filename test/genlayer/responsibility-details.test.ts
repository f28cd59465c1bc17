import { createHash } from "node:crypto";
import {
  type Workflow,
  assessmentDigest,
  workflowDigest,
  workflowKey,
  workflowClosingTypedData,
} from "@assay/protocol";
import { expect } from "chai";
import { encodeCalldata } from "../../localnet/src/genlayer/calldata.ts";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { refusalsOf } from "./support/helpers.ts";
import {
  addressOf,
  AGENT_A,
  AGENT_B,
  ASSESSOR,
  Contract,
  creation,
  CREATOR,
  GOOD_A,
  GOOD_B,
  placeOf,
  readyContract,
  RESPONSIBILITY,
  sign,
  STRANGER,
  workflow,
} from "./support/responsibility.ts";

const KEY = workflowKey(workflow());
const DIGEST = workflowDigest(workflow());
const verdictModel = (verdict: string) => scriptedModel([JSON.stringify({ verdict })]);
const address = (index: number): `0x${string}` => `0x${String(index).padStart(40, "0")}`;

describe("Responsibility, in detail", () => {
  let fresh: Contract;
  before(async () => {
    fresh = await Contract.deployed();
  });

  describe("create_workflow", () => {
    const taken: [string, Partial<Workflow>][] = [
      ["an id of one and of 64 characters", { workflowId: "x" }],
      ["an id of 64 characters", { workflowId: "x".repeat(64) }],
      [
        "texts of one byte",
        { taskSpec: "t", agentAObligation: "a", agentBObligation: "b", acceptanceCriteria: "c" },
      ],
      ["eight assessors", { assessors: Array.from({ length: 8 }, (_, index) => address(index + 1)) }],
      ["the shortest patience", { patience: 1 }],
      ["the longest patience", { patience: 1_000_000 }],
    ];
    for (const [name, changes] of taken) {
      it(`takes ${name}, and binds it`, async () => {
        const contract = fresh.copy();
        const terms = workflow(changes);
        const key = await contract.create(terms);
        expect(await contract.read("get_workflow", key)).to.include({
          workflowDigest: workflowDigest(terms),
          patience: terms.patience,
          workflowId: terms.workflowId,
        });
      });
    }

    it("refuses assessors in the wrong order, and patience beyond its bound", async () => {
      const args = creation(workflow());
      const refusal = (place: number, value: unknown): Promise<string> =>
        fresh.copy().refusal(CREATOR, "create_workflow", args.with(place, value as string));
      expect(await refusal(7, [address(2), address(1)])).to.equal(
        "[EXPECTED] assessors: must be strictly ascending",
      );
      expect(await refusal(7, [address(1), address(0)])).to.equal(
        "[EXPECTED] assessors: must not be the zero address",
      );
      expect(await refusal(8, 1_000_001)).to.equal("[EXPECTED] patience: must be 1 to 1000000");
      expect(await refusal(8, "3")).to.equal("[EXPECTED] patience: must be an integer");
      expect(await refusal(0, 7)).to.equal("[EXPECTED] workflow_id: must be 1 to 64 of A-Z a-z 0-9 . _ -");
      expect(await refusal(1, 7)).to.equal("[EXPECTED] agent_a: must be 0x and 40 hex digits");
      expect(await refusal(1, `${addressOf(AGENT_A)}0`)).to.equal(
        "[EXPECTED] agent_a: must be 0x and 40 hex digits",
      );
    });
  });

  it("shows a workflow with everything that was agreed and done", async () => {
    const contract = fresh.copy();
    const terms = workflow();
    await contract.create(terms);
    const agreed = {
      state: "PENDING_ACCEPTANCE",
      workflowKey: KEY,
      workflowDigest: DIGEST,
      creator: terms.creator,
      workflowId: terms.workflowId,
      agentA: terms.agentA,
      agentB: terms.agentB,
      taskSpec: terms.taskSpec,
      agentAObligation: terms.agentAObligation,
      agentBObligation: terms.agentBObligation,
      acceptanceCriteria: terms.acceptanceCriteria,
      assessors: terms.assessors.map((item) => item.toLowerCase()),
      patience: terms.patience,
      acceptedA: false,
      acceptedB: false,
      outputA: "",
      outputB: "",
      closingA: false,
      closingB: false,
      messagesSinceLastStep: 0,
    };
    expect(await contract.read("get_workflow", KEY)).to.deep.equal(agreed);
    await contract.accept(terms, AGENT_A);
    expect(await contract.read("get_workflow", KEY)).to.deep.equal({ ...agreed, acceptedA: true });
    await contract.accept(terms, AGENT_B);
    await contract.send(AGENT_B, "submit_output", [KEY, GOOD_B]);
    await contract.send(AGENT_A, "close_workflow", [KEY]);
    expect(await contract.read("get_workflow", KEY)).to.deep.equal({
      ...agreed,
      state: "ACCEPTED",
      acceptedA: true,
      acceptedB: true,
      outputB: GOOD_B,
      closingA: true,
      messagesSinceLastStep: 1,
    });
  });

  it("tells its limits, and counts messages and records", async () => {
    const info = {
      name: "Assay responsibility",
      recordVersion: 1,
      states: ["ABSENT", "PENDING_ACCEPTANCE", "ACCEPTED", "READY", "ASSESSED", "CLOSED"],
      verdicts: ["AGENT_A_FAULT", "AGENT_B_FAULT", "SHARED_FAULT", "NEITHER_AGENT_FAULT", "INCONCLUSIVE"],
      limits: {
        taskSpecBytes: 8000,
        obligationBytes: 6000,
        acceptanceCriteriaBytes: 6000,
        outputBytes: 16_000,
        assessors: 8,
        patience: 1_000_000,
      },
      comparedByValidators: "the verdict's name",
      messages: 0,
      records: 0,
    };
    expect(await fresh.read("contract_info")).to.deep.equal(info);
    const contract = await readyContract();
    expect(await contract.read("contract_info")).to.deep.equal({ ...info, messages: 5 });
    await contract.send(ASSESSOR, "assess", [KEY], { model: verdictModel("SHARED_FAULT") });
    expect(await contract.read("contract_info")).to.deep.equal({ ...info, messages: 6, records: 1 });
  });

  it("answers about a record that there isn't, under the address in its EIP-55 spelling", async () => {
    const lower = addressOf(ASSESSOR).toLowerCase();
    expect(await fresh.read("get_responsibility_record", KEY, lower)).to.deep.equal({
      version: 0,
      workflowKey: KEY,
      assessor: addressOf(ASSESSOR),
      sequence: 0,
      verdict: "",
      workflowDigest: "",
      assessmentDigest: "",
      recordDigest: "",
    });
    const contract = await readyContract();
    await contract.send(ASSESSOR, "assess", [KEY], { model: verdictModel("SHARED_FAULT") });
    expect(await contract.read("get_responsibility_record", KEY, lower)).to.include({
      version: 1,
      sequence: 1,
    });
    for (const method of ["get_workflow", "get_assessment", "get_responsibility_record"]) {
      const args = method === "get_workflow" ? ["0x12"] : ["0x12", lower];
      let message = "";
      try {
        await fresh.read(method, ...args);
      } catch (error) {
        message = String(error);
      }
      expect(message).to.include("[EXPECTED] workflow_key: must be 0x and 64 lower-case hex digits");
    }
  });

  describe("close_workflow", () => {
    it("counts no request as a step, so that asking doesn't make a silence look shorter", async () => {
      const contract = fresh.copy();
      await contract.create(workflow());
      await contract.accept(workflow(), AGENT_A, AGENT_B);
      await contract.send(AGENT_A, "submit_output", [KEY, GOOD_A]);
      for (const messages of [1, 2, 3]) {
        await contract.send(AGENT_A, "close_workflow", [KEY]);
        expect(await contract.read("get_workflow", KEY)).to.include({
          state: "ACCEPTED",
          messagesSinceLastStep: messages,
        });
      }
      await contract.send(AGENT_A, "close_workflow", [KEY]);
      expect(await contract.read("get_workflow", KEY)).to.include({
        state: "CLOSED",
        messagesSinceLastStep: 0,
      });
    });

    it("ends it for the side that delivered alone, whichever it is", async () => {
      for (const [delivers, owes, output] of [
        [AGENT_A, AGENT_B, GOOD_A],
        [AGENT_B, AGENT_A, GOOD_B],
      ] as const) {
        const contract = fresh.copy();
        await contract.create(workflow({ patience: 1 }));
        const terms = workflow({ patience: 1 });
        await contract.accept(terms, AGENT_A, AGENT_B);
        await contract.send(delivers, "submit_output", [KEY, output]);
        await contract.create(workflow({ creator: addressOf(STRANGER), workflowId: "noise" }), STRANGER);
        const other = contract.copy();
        await other.send(owes, "close_workflow", [KEY]);
        expect(await other.stateOf(terms)).to.equal("ACCEPTED");
        await contract.send(delivers, "close_workflow", [KEY]);
        expect(await contract.stateOf(terms)).to.equal("CLOSED");
      }
    });

    it("remembers a request by either side until the other asks too", async () => {
      for (const [first, second] of [
        [AGENT_A, AGENT_B],
        [AGENT_B, AGENT_A],
      ] as const) {
        const contract = fresh.copy();
        await contract.create(workflow());
        await contract.accept(workflow(), AGENT_A, AGENT_B);
        await contract.send(first, "close_workflow", [KEY]);
        expect(await contract.read("get_workflow", KEY)).to.include({
          state: "ACCEPTED",
          closingA: first === AGENT_A,
          closingB: first === AGENT_B,
        });
        await contract.send(second, "close_workflow", [KEY]);
        expect(await contract.stateOf(workflow())).to.equal("CLOSED");
      }
    });
  });

  it("refuses a signed message before it looks at the signature when its key, digest or output is none", async () => {
    const contract = await readyContract();
    const signature = await sign(AGENT_A, workflowClosingTypedData(placeOf(workflow())));
    const key = "[EXPECTED] workflow_key: must be 0x and 64 lower-case hex digits";
    const text = "[EXPECTED] output: must be text";
    const refused: [string, (string | number)[], string][] = [
      ["accept_workflow_signed", ["0xzz", DIGEST, signature], key],
      [
        "accept_workflow_signed",
        [KEY, 7, signature],
        "[EXPECTED] workflow_digest: must be 0x and 64 lower-case hex digits",
      ],
      ["submit_output_signed", ["0xzz", GOOD_A, signature], key],
      ["submit_output_signed", [KEY, 7, signature], text],
      ["submit_output", [KEY, 7], text],
      ["close_workflow_signed", ["0xzz", signature], key],
      ["close_workflow_signed", [KEY, 7], "[EXPECTED] signature: must be 0x and 130 lower-case hex digits"],
      ["accept_workflow_signed", ["0x12", DIGEST, signature], key],
      [
        "accept_workflow_signed",
        [KEY, "0x12", signature],
        "[EXPECTED] workflow_digest: must be 0x and 64 lower-case hex digits",
      ],
      ["submit_output_signed", ["0x12", GOOD_A, signature], key],
      ["submit_output_signed", [KEY, "", signature], "[EXPECTED] output: must have 1 to 16000 bytes"],
      ["close_workflow_signed", ["0x12", signature], key],
    ];
    for (const [method, args, message] of refused) {
      expect(await contract.refusal(STRANGER, method, args), method).to.equal(message);
    }
    expect(await contract.refusal(AGENT_A, "accept_workflow", [KEY, "0x12"])).to.equal(
      "[EXPECTED] workflow_digest: must be 0x and 64 lower-case hex digits",
    );
    expect(await contract.refusal(ASSESSOR, "assess", ["0x12"])).to.equal(key);
  });

  describe("the prompt", () => {
    it("names six texts in this order, each in the fence that its hash and the assessment give", async () => {
      const contract = await readyContract();
      const model = verdictModel("INCONCLUSIVE");
      await contract.send(ASSESSOR, "assess", [KEY], { model });
      const digest = assessmentDigest({
        workflowKey: KEY,
        workflowDigest: DIGEST,
        outputA: GOOD_A,
        outputB: GOOD_B,
      });
      const terms = workflow();
      const texts: [string, string][] = [
        ["task", terms.taskSpec],
        ["obligation of agent A", terms.agentAObligation],
        ["obligation of agent B", terms.agentBObligation],
        ["acceptance criteria", terms.acceptanceCriteria],
        ["output of agent A", GOOD_A],
        ["output of agent B", GOOD_B],
      ];
      const fenced = texts.map(([name, text]) => {
        const fields = ["assay/fence/1", digest, name, text].map((field) => Buffer.from(field));
        const hash = createHash("sha256");
        for (const field of fields) {
          const length = Buffer.alloc(8);
          length.writeBigUInt64BE(BigInt(field.length));
          hash.update(length).update(field);
        }
        const fence = hash.digest("hex").slice(0, 32);
        return `BEGIN-UNTRUSTED ${fence}\n{"name": ${JSON.stringify(name)}, "text": ${JSON.stringify(text)}}\nEND-UNTRUSTED ${fence}\n`;
      });
      const prompt = model.prompts[0]!;
      const from = prompt.indexOf("BEGIN-UNTRUSTED ", prompt.indexOf("merely hard to find."));
      const to = prompt.indexOf("END OF THE UNTRUSTED PARTS.");
      expect(prompt.slice(from, to)).to.equal(fenced.join("\n") + "\n");
      expect(prompt).to.match(/^You decide who was at fault/);
    });
  });

  it("reads a verdict from text that is one object with that key, and from nothing else", async () => {
    const answers = [7, null, true, ["AGENT_A_FAULT"], { verdict: "AGENT_A_FAULT" }];
    expect(
      await refusalsOf(RESPONSIBILITY, "read_verdict", ...answers.map((answer) => [answer])),
    ).to.deep.equal(answers.map(() => "[LLM_ERROR] the answer must be text"));
    const texts = ['"verdict"', '["verdict"]', '{"verdict":["AGENT_A_FAULT"]}', '{"verdict":"INCONCLUSIVE"}'];
    expect(await refusalsOf(RESPONSIBILITY, "read_verdict", ...texts.map((text) => [text]))).to.deep.equal([
      "[LLM_ERROR] the answer must have exactly the key verdict",
      "[LLM_ERROR] the answer must have exactly the key verdict",
      "[LLM_ERROR] the verdict must be one of AGENT_A_FAULT, AGENT_B_FAULT, SHARED_FAULT, NEITHER_AGENT_FAULT, INCONCLUSIVE",
      "",
    ]);
  });

  const lies: [string, Parameters<typeof encodeCalldata>[0]][] = [
    ["a sixth verdict", "BOTH_FAULT"],
    ["a number", 2],
    ["a list of the verdict", ["SHARED_FAULT"]],
    ["nothing", null],
  ];
  for (const [name, lie] of lies) {
    it(`disagrees with a leader that returns ${name}`, async () => {
      const contract = await readyContract();
      const honest = await contract
        .copy()
        .write(ASSESSOR, "assess", [KEY], { model: verdictModel("SHARED_FAULT") });
      const leader = { ...honest, nondetOutputs: [Buffer.concat([Uint8Array.of(0), encodeCalldata(lie)])] };
      const validator = await contract.write(ASSESSOR, "assess", [KEY], {
        leader,
        model: verdictModel("SHARED_FAULT"),
      });
      expect(validator.validatorVotes).to.deep.equal([false]);
    });
  }

  it("disagrees with a leader's VM error", async () => {
    const contract = await readyContract();
    const honest = await contract
      .copy()
      .write(ASSESSOR, "assess", [KEY], { model: verdictModel("SHARED_FAULT") });
    const leader = { ...honest, nondetOutputs: [Buffer.from("\x02exit_code 1")] };
    const validator = await contract.write(ASSESSOR, "assess", [KEY], {
      leader,
      model: verdictModel("SHARED_FAULT"),
    });
    expect([validator.validatorVotes, validator.kind]).to.deep.equal([[false], "vm-error"]);
  });
});
