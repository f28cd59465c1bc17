import { type CheckResult, type Execution, type ExecutionProof, runCheck, toAddress } from "@assay/protocol";
import { expect } from "chai";
import { Wallet } from "ethers";
import type { CalldataInput } from "../../localnet/src/genlayer/calldata.ts";
import { type ClaimVector, executionChainVectors } from "../protocol/execution/support/vectors.ts";
import { helper, helperError } from "./support/helpers.ts";
import { adjudicate, agreement, caseOf as documentsOf, recordOf, submission } from "./support/verifier.ts";

const vectors = executionChainVectors();
const CHECK = { type: "execution_proof" } as const;
const { chainId, verifyingContract } = vectors.domain;
const recorder = toAddress(vectors.recorder.address);
const [TOUR] = vectors.missions;

type Claim = ClaimVector["claim"];

interface Case {
  readonly agreement: { execution?: Execution };
  readonly submission: { files: Record<string, string>; execution?: ExecutionProof };
  readonly agreementId: `0x${string}`;
}

/** A case with agreement and submission of a mission; signed for the vector's first mission unless told otherwise. */
function caseOf(claim: Claim, signature: string = TOUR!.signature, agreementId = TOUR!.agreementId): Case {
  const { nonce, steps, records, terminal } = claim;
  const attestations = records.map(({ index, requestHash, responseHash }) => ({
    index,
    requestHash,
    responseHash,
  }));
  return {
    agreement: { execution: { nonce, recorder, steps: [...steps] } },
    submission: { files: {}, execution: { attestations, terminal, signature } },
    agreementId,
  };
}

/** What the contract decides, held against its TypeScript twin. */
async function decide(...cases: Case[]): Promise<CheckResult[]> {
  const subjectOf = (agreementId: Case["agreementId"]) => ({
    chainId,
    escrow: toAddress(verifyingContract),
    agreementId,
  });
  const python = (await helper(
    "run_check",
    ...cases.map(({ agreement, submission, agreementId }): CalldataInput[] => [
      CHECK,
      agreement as CalldataInput,
      submission as CalldataInput,
      subjectOf(agreementId),
      {},
    ]),
  )) as [boolean, string][];
  return cases.map(({ agreement, submission, agreementId }, index) => {
    const result = runCheck(CHECK, agreement, submission, subjectOf(agreementId))!;
    const [passed, detail] = python[index]!;
    expect(result).to.deep.equal({ passed, detail });
    return result;
  });
}

describe("AgreementVerifier's proof of execution", () => {
  it("computes the protocol's values", async () => {
    const { worked } = vectors;
    expect(await helper("committed_root", [worked.nonce, worked.sequenceHash])).to.deep.equal([
      worked.committedRoot,
    ]);
    expect(await helper("step_nonce", [worked.nonce, 0])).to.deep.equal([worked.stepNonce]);
    expect(
      await helper("attestation_hash", [
        worked.step,
        { requestHash: worked.requestHash, responseHash: worked.responseHash },
        worked.stepNonce,
      ]),
    ).to.deep.equal([worked.attestation]);
    expect(await helper("fold", [worked.committedRoot, worked.attestation])).to.deep.equal([worked.chain]);
    expect(
      await helper(
        "sequence_hash",
        ...vectors.sequences.map(({ steps }) => [steps as unknown as CalldataInput]),
      ),
    ).to.deep.equal(vectors.sequences.map((sequence) => sequence.sequenceHash));
    const digests = (await helper(
      "terminal_digest",
      ...vectors.missions.map(({ agreementId, committedRoot, terminal }) => [
        { chainId, escrow: verifyingContract, agreementId },
        committedRoot,
        terminal,
      ]),
    )) as Uint8Array[];
    expect(digests.map((digest) => `0x${Buffer.from(digest).toString("hex")}`)).to.deep.equal(
      vectors.missions.map((mission) => mission.digest),
    );
  }).timeout(60_000);

  it("passes for every mission of the vectors", async () => {
    const results = await decide(
      ...vectors.missions.map((mission) => caseOf(mission, mission.signature, mission.agreementId)),
    );
    expect(results).to.deep.equal(
      vectors.missions.map(({ steps }) => ({
        passed: true,
        detail: `${steps.length} steps replay to the terminal`,
      })),
    );
  });

  // A claim that its readers refuse never gets to the check; one that differs only in its root is another's to check.
  const reaching = vectors.claims.filter(
    ({ code, name }) => code === null || !(/_malformed|no_steps/.test(code) || name === "a wrong root"),
  );
  it("decides every claim of the vectors as its twin does, and passes the true ones alone", async () => {
    const results = await decide(...reaching.map(({ claim }) => caseOf(claim)));
    expect(reaching.length).to.be.greaterThan(25);
    reaching.forEach(({ name, code }, index) => {
      expect(results[index]!.passed, name).to.equal(code === null);
    });
  }).timeout(60_000);

  it("says in a few words what is wrong", async () => {
    const { records, ...tour } = TOUR!;
    const details = await decide(
      { ...caseOf(TOUR!), submission: { files: {} } },
      { ...caseOf(TOUR!), agreement: {} },
      caseOf({ ...tour, records: records.slice(1) }),
      caseOf({ ...tour, records: [records[1]!, records[0]!, ...records.slice(2)] }),
      caseOf({ ...tour, records, terminal: tour.committedRoot }),
      caseOf(TOUR!, TOUR!.signature, vectors.missions[1]!.agreementId),
    );
    expect(details).to.deep.equal(
      [
        "no proof of execution",
        "no proof of execution",
        "4 records for 5 steps",
        "record 0 is of step 1",
        "the records do not end in the terminal",
        "the signature is not the recorder's",
      ].map((detail) => ({ passed: false, detail })),
    );
  });

  it("does not take a signature by another account, for another escrow or chain, or its twin with high s", async () => {
    const { domain, types, message } = signing();
    const signers: [string, Promise<string>][] = [
      ["another account", new Wallet(`0x${"22".repeat(32)}`).signTypedData(domain, types, message)],
      ["another escrow", sign({ verifyingContract: `0x${"11".repeat(20)}` })],
      ["another chain", sign({ chainId: chainId + 1 })],
      ["another domain", sign({ name: "Assay Report" })],
      ["another terminal", sign({}, { terminal: TOUR!.committedRoot })],
      ["another root", sign({}, { committedRoot: TOUR!.terminal })],
      ["high s", Promise.resolve(highS(TOUR!.signature))],
      [
        "v of 0 or 1",
        Promise.resolve(`${TOUR!.signature.slice(0, -2)}0${TOUR!.signature.endsWith("1b") ? 0 : 1}`),
      ],
    ];
    const signatures = await Promise.all(signers.map(([, signature]) => signature));
    const results = await decide(...signatures.map((signature) => caseOf(TOUR!, signature)));
    results.forEach((result, index) => {
      expect(result, signers[index]![0]).to.deep.equal({
        passed: false,
        detail: "the signature is not the recorder's",
      });
    });
  }).timeout(60_000);

  it("replays once however many requirements ask for it", async () => {
    const kept = { execution_proof: [true, "kept"] };
    const [result] = await helper("run_check", [CHECK, {}, { files: {} }, {}, kept]);
    expect(result).to.deep.equal([true, "kept"]);
  });

  it("decides an agreement by itself, whatever else is to be judged", async () => {
    const { agreement: committed, submission: proven, agreementId } = caseOf(TOUR!);
    const agreed = agreement({
      requirements: [{ id: "WALK", text: "The tour was walked.", check: CHECK }],
      execution: committed.execution!,
    });
    const delivered = (execution: ExecutionProof) =>
      documentsOf(agreed, submission({ agreementId, files: {}, execution }), {
        agreementId,
        escrow: toAddress(verifyingContract),
      });
    const walked = delivered(proven.execution!);
    const record = await recordOf(walked);
    expect(record).to.deep.include({ outcome: "PASS" });
    expect(record.requirements).to.deep.equal([
      {
        id: "WALK",
        result: "PASS",
        decidedBy: "check",
        check: "execution_proof",
        detail: "5 steps replay to the terminal",
      },
    ]);
    const leader = await adjudicate(walked);
    expect((await adjudicate(walked, { leader })).state).to.deep.equal(leader.state);

    const forged = delivered({ ...proven.execution!, terminal: TOUR!.committedRoot });
    expect(await recordOf(forged)).to.deep.include({ outcome: "FAIL" });
  }).timeout(60_000);

  it("takes exactly the path templates that the protocol takes", async () => {
    const { accepted, refused } = vectors.templates;
    expect(await helper("take_template", ...accepted.map((template) => [template, "path"]))).to.deep.equal([
      ...accepted,
    ]);
    for (const template of refused) {
      expect(await helperError("take_template", template, "path"), template).to.match(
        /^\[EXPECTED\] path: must/,
      );
    }
  }).timeout(60_000);
});

function signing() {
  return {
    domain: { name: "Assay Execution", version: "1", chainId, verifyingContract },
    types: {
      ExecutionTerminal: [
        { name: "agreementId", type: "bytes32" },
        { name: "committedRoot", type: "bytes32" },
        { name: "terminal", type: "bytes32" },
      ],
    },
    message: {
      agreementId: TOUR!.agreementId,
      committedRoot: TOUR!.committedRoot,
      terminal: TOUR!.terminal,
    },
  };
}

/** The recorder's signature with parts of what it signs replaced. */
function sign(domain: Record<string, unknown>, message: Record<string, unknown> = {}): Promise<string> {
  const signed = signing();
  return new Wallet(vectors.recorder.privateKey).signTypedData(
    { ...signed.domain, ...domain },
    signed.types,
    {
      ...signed.message,
      ...message,
    },
  );
}

/** The other signature of the same key and digest. */
function highS(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = order - BigInt(`0x${signature.slice(66, 130)}`);
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${signature.endsWith("1b") ? "1c" : "1b"}`;
}
