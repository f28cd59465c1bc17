import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Wallet } from "ethers";
import {
  encodeDocument,
  fitsAgreement,
  isJoint,
  jointPlanOf,
  parseAgreement,
  parseSubmission,
  WORKFLOW_LIMITS,
  type Role,
} from "@assay/protocol";
import { startJointMarket, type Changes, type JointMarket } from "./support/joint-market.ts";
import type { Market } from "./support/market.ts";

describe("assay, under a joint agreement", function () {
  this.timeout(60_000);
  let joint: JointMarket;
  let market: Market;
  before(async () => {
    joint = await startJointMarket();
    ({ market } = joint);
  });
  after(() => joint.end());

  describe("agreement new", () => {
    it("draws up both agreements of one document, each in a file that stands when it is checked", async () => {
      const files = await joint.drawUp({ "--seller-share": "30%", "--seller-share-b": "20%" });
      const [a, b] = [await joint.read(files.A), await joint.read(files.B)];
      expect(a.agreement).to.deep.equal(b.agreement);
      const agreement = parseAgreement(encodeDocument(a.agreement));
      if (!isJoint(agreement)) throw new Error("not joint");
      const { sides, workflow } = jointPlanOf(agreement);
      expect([a.agreementId, b.agreementId]).to.deep.equal([sides.A.agreementId, sides.B.agreementId]);
      expect(a.terms).to.include({ reward: "40000000", noVerdictSellerBps: 3_000 });
      expect(b.terms).to.include({ reward: "10500000", noVerdictSellerBps: 2_000 });
      expect(workflow).to.include({
        creator: market.account(1).address,
        agentA: market.account(2).address,
        agentB: market.account(3).address,
        patience: 10_000,
      });
      expect(agreement.adjudication).to.include(market.profile.responsibility);
      for (const [file, role, other] of [
        [files.A, "A", b],
        [files.B, "B", a],
      ] as const) {
        const { code, out, err } = await market.assay("agreement", "check", file);
        expect(code, err + out).to.equal(0);
        expect(out)
          .to.include(`this agreement pays agent ${role}`)
          .and.include(other.agreementId)
          .and.include("Translate it.")
          .and.include("the judge is the one of this network's profile");
      }
    });

    it("tells both ids and the workflow in JSON", async () => {
      const { code, out } = await market.assay(...joint.newFlags(), "--json");
      expect(code).to.equal(0);
      const told = JSON.parse(out) as {
        workflow: { workflowKey: string; digest: string };
        sides: Record<Role, { agreementId: string; file: string }>;
      };
      expect(told.workflow.workflowKey).to.match(/^0x[0-9a-f]{64}$/);
      for (const { file, agreementId } of Object.values(told.sides))
        expect((await joint.read(file)).agreementId).to.equal(agreementId);
    });

    const template = { title: "T", task: "T", requirements: [{ id: "R", text: "r" }] };
    const refused: [what: string, changes: () => Changes | Promise<Changes>, message: string][] = [
      ["one agent on both sides", () => ({ "--seller-b": "seller" }), "is the seller of both sides"],
      ["an agent that pays itself", () => ({ "--buyer-b": "relayer" }), "agent B: seller is the buyer"],
      ["a missing obligation", () => ({ "--obligation-b": null }), "--obligation-b is missing"],
      ["a missing agent", () => ({ "--seller-b": null }), "--seller-b is missing"],
      ["a requirement", () => ({ "--require": "R: r" }), "--require has no place in a joint agreement"],
      ["a gate", () => ({ "--gate": market.contracts.gate }), "--gate has no place in a joint agreement"],
      [
        "a template's requirements",
        async () => ({ "--from": await joint.written("template.json", JSON.stringify(template)) }),
        "requirements must be empty in a joint agreement",
      ],
      [
        "the judge of agreements of one seller",
        async () => ({
          "--adjudication": await joint.written("judge.json", JSON.stringify(market.profile.adjudication)),
        }),
        "judges agreements of one seller, and has no workflows",
      ],
      [
        "an obligation that the contract would refuse",
        () => ({ "--obligation": "x".repeat(WORKFLOW_LIMITS.obligationBytes + 1) }),
        "joint.a.obligation",
      ],
      ["deadlines that the escrow would refuse", () => ({ "--deliver-by": "5m" }), "agent B: deliverBy"],
      ["no patience", () => ({ "--patience": "0" }), "from 1 to 1000000"],
    ];
    for (const [what, changes, message] of refused)
      it(`refuses ${what}, and writes nothing`, async () => {
        const out = join(market.folder, "never.json");
        const { code, err } = await market.assay(...joint.newFlags({ "--out": out, ...(await changes()) }));
        expect(code).to.equal(2);
        expect(err).to.include(message);
        for (const file of ["never.json", "never-a.json", "never-b.json"])
          expect(await readFile(join(market.folder, file)).catch(() => null)).to.equal(null);
      });

    it("replaces no file, and does not write the other one either", async () => {
      const there = await joint.written("there-b.json", "mine");
      const { code, err } = await market.assay(
        ...joint.newFlags({ "--out": join(market.folder, "there.json") }),
      );
      expect(code).to.equal(2);
      expect(err).to.include("there-b.json exists already");
      expect(await readFile(there, "utf8")).to.equal("mine");
      expect(await readFile(join(market.folder, "there-a.json")).catch(() => null)).to.equal(null);
    });

    it("says whom to name when the profile knows no contract with workflows", async () => {
      const { responsibility: _without, ...profile } = market.profile;
      const path = await joint.written("plain-profile.json", JSON.stringify(profile));
      const { code, err } = await market.assay(...joint.newFlags(), "--network", path);
      expect(code).to.equal(2);
      expect(err).to.include("nobody says who judges");
    });
  });

  describe("work submit", () => {
    /** The document that the operator holds and the escrow commits to. */
    async function submitted(file: string, out: string) {
      const { submissionHash } = JSON.parse(out) as { submissionHash: string };
      const response = await fetch(`${market.operator.url}/v1/documents/${submissionHash}`);
      return {
        submission: parseSubmission(await response.text()),
        agreement: (await joint.read(file)).agreement,
      };
    }

    it("signs the output by a keystore, and says so when run twice", async () => {
      const { A } = await joint.funded();
      const output = await joint.written("report.md", "\uFEFFSummary: é\r\n");
      const agent = new Wallet(market.account(2).privateKey);
      const keystore = await joint.written("agent.json", await agent.encrypt("secret"));
      const args = [
        ...["work", "submit", A, "--output", output, "--wallet", keystore],
        ...["--password-file", await joint.written("password", "secret\n")],
      ];
      const { code, out, err } = await market.assay(...args, "--json");
      expect(code, err).to.equal(0);
      const { submission, agreement } = await submitted(A, out);
      expect(submission.output?.text).to.equal("\uFEFFSummary: é\r\n");
      expect(fitsAgreement(agreement, submission)).to.equal(true);
      const again = await market.assay(...args);
      expect([again.code, again.out]).to.deep.equal([
        0,
        "Exactly this was submitted already. Nothing was sent.\n",
      ]);
    });

    it("takes both of the agent's signatures from elsewhere", async () => {
      const { B } = await joint.funded();
      const output = await joint.written("translation.md", "Zusammenfassung: gut.");
      const agent = market.account(3);
      const signed = async (text: string): Promise<string> => {
        const { domain, types, message } = JSON.parse(text) as {
          domain: object;
          types: Record<string, never>;
          message: object;
        };
        const { EIP712Domain: _domain, ...own } = types;
        return agent.signTypedData(domain, own, message as never);
      };
      const args = ["work", "submit", B, "--output", output];
      const asked = await market.assay(...args, "--output-typed-data");
      expect(asked.err).to.include("hand the signature back with --output-signature");
      expect(JSON.parse(asked.out))
        .to.have.nested.property("domain.chainId")
        .that.satisfies((chainId: unknown) => Number(chainId) === market.profile.adjudication?.chainId);
      const whole = [...args, "--output-signature", await signed(asked.out)];
      const submission = await signed((await market.assay(...whole, "--typed-data")).out);
      const sent = await market.assay(...whole, "--signature", submission, "--wallet", "buyer", "--json");
      expect(sent.code, sent.err).to.equal(0);
      const found = await submitted(B, sent.out);
      expect(fitsAgreement(found.agreement, found.submission)).to.equal(true);
    });

    it("refuses what would be no submission, and leaves the agreement as it is", async () => {
      const { A } = await joint.funded();
      const output = await joint.written("output.md", "Summary: all.");
      const submit = (...args: string[]) => market.assay("work", "submit", A, ...args);
      const foreign = await market.account(3).signMessage("no");
      const folder = join(market.folder, "delivery");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "report.md"), "r");
      const notes = await joint.written(
        "notes-output.json",
        JSON.stringify({ output: { text: "other", signature: foreign } }),
      );
      const limit = WORKFLOW_LIMITS.outputBytes;
      const cases: [args: string[], code: number, message: string][] = [
        [["--output", output, "--wallet", "relayer"], 4, "only the agent"],
        [["--output", output], 4, "only the agent"],
        [
          ["--output", output, "--output-signature", foreign, "--wallet", "seller"],
          2,
          "is not that of this side's",
        ],
        [["--output", output, "--output-signature", "0x12", "--wallet", "seller"], 2, "output.signature"],
        [
          ["--output", await joint.written("long.md", "x".repeat(limit + 1)), "--wallet", "seller"],
          2,
          `${limit + 1} bytes`,
        ],
        [["--output", await joint.written("empty.md", ""), "--wallet", "seller"], 2, "is empty"],
        [
          ["--output", await joint.written("bytes", Uint8Array.of(0xff)), "--wallet", "seller"],
          2,
          "is no UTF-8 text",
        ],
        [["--output", output, "--notes", notes, "--wallet", "seller"], 2, "an output in the notes"],
        [["--wallet", "seller"], 2, "nothing to deliver was given"],
        [["--output-signature", foreign], 2, "no output was given"],
        [[folder, "--wallet", "seller"], 2, "hold the agent's signed output"],
      ];
      for (const [args, code, message] of cases) {
        const ran = await submit(...args);
        expect(ran.err, args.join(" ")).to.include(message);
        expect(ran.code, args.join(" ")).to.equal(code);
      }
      expect(await joint.status(A)).to.equal("Funded");
    });

    it("signs no output under an agreement of one seller", async () => {
      const output = await joint.written("stray.md", "Summary.");
      const ordinary = await market.funded();
      const ran = await market.assay(
        "work",
        "submit",
        ordinary.file,
        "--output",
        output,
        "--wallet",
        "seller",
      );
      expect([ran.code, await joint.status(ordinary.file)]).to.deep.equal([2, "Funded"]);
      expect(ran.err).to.include("no workflow decides this agreement");
    });
  });
});
