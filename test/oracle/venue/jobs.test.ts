import { expect } from "chai";
import { adjudicationKey, type Hex, type Verdict, type VerdictRecord } from "@assay/protocol";
import type { Operator } from "../../../oracle/src/index.ts";
import { ChainIdentityError } from "../../../oracle/src/rpc/index.ts";
import { createJobWorld, deliverJob, jobOf, JOB_SECONDS } from "../support/job-world.ts";
import { rejection } from "../support/rejection.ts";
import { CHAIN_ID } from "../support/sim-evm.ts";
import { COMMERCE, EVALUATOR, commerceInterface, type SimJob, type SimJobs } from "../support/sim-jobs.ts";
import { hash } from "../support/states.ts";
import {
  ADDRESSES,
  dealOf,
  deliver,
  put,
  submissionOf,
  submissionView,
  until,
  type World,
} from "../support/world.ts";

const [COMPLETED, REJECTED, SUBMITTED] = [3, 4, 2];

describe("an operator that evaluates ERC-8183 jobs", () => {
  let world: World & { readonly jobs: SimJobs };
  let operator: Operator;

  beforeEach(async () => {
    world = await createJobWorld();
    operator = await world.start();
  });
  afterEach(() => world.end());

  const get = async (path: string) => (await (await fetch(operator.url + path)).json()) as never;
  const turns = async (count: number, seconds = 1) => {
    for (let turn = 0; turn < count; turn++) {
      world.evm.mine(1, seconds);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const expectNothingSigned = async (key: Hex) => {
    expect((await fetch(`${operator.url}/v1/attestations/${key}`)).status).to.equal(404);
    expect(world.evm.broadcast.size).to.equal(0);
    expect(world.evm.settlements).to.deep.equal([]);
  };

  it("completes a job on PASS, with the hash of the verdict that it publishes as the reason", async () => {
    const { key, submissionHash } = await deliverJob(world, operator);
    const view = await until(world, operator, key, ["SETTLED"]);
    expect(world.evm.jobStatus(key)).to.equal(COMPLETED);
    const [settlement] = world.evm.settlements;
    expect(settlement?.verdict).to.include({
      escrow: COMMERCE,
      agreementId: key,
      submissionHash,
      outcome: 1,
      verdictHash: view.verdict?.verdictHash,
    });
  });

  it("has the job judged under a key that covers chain, contract and job", async () => {
    const { key, submissionHash } = await deliverJob(world, operator);
    const { verdict } = await until(world, operator, key, ["SETTLED"]);
    const { record } = (await get(`/v1/verdicts/${String(verdict?.verdictHash)}`)) as {
      record: VerdictRecord;
    };
    expect(record).to.include({ escrow: COMMERCE, agreementId: key, chainId: CHAIN_ID });
    expect(record.adjudicationKey).to.equal(
      adjudicationKey({
        chainId: CHAIN_ID,
        escrow: COMMERCE,
        agreementId: key,
        agreementHash: record.agreementHash,
        submissionHash,
      }),
    );
  });

  it("signs a certificate that is good until the second before anybody may claim the refund", async () => {
    const { key, job } = await deliverJob(world, operator);
    await until(world, operator, key, ["SETTLED"]);
    const { verdict, quorum } = (await get(`/v1/attestations/${key}`)) as {
      verdict: Verdict;
      quorum: { address: string };
    };
    expect(verdict.notAfter).to.equal(job.expiredAt - 1);
    expect(quorum.address).to.equal(EVALUATOR);
  });

  it("rejects a job on FAIL", async () => {
    world.genLayer.plans = ["FAIL"];
    const { key } = await deliverJob(world, operator);
    await until(world, operator, key, ["SETTLED"]);
    expect(world.evm.jobStatus(key)).to.equal(REJECTED);
  });

  it("rejects a job whose delivery is withheld for the whole window", async () => {
    const deal = dealOf(world);
    const key = world.evm.createJob(jobOf(world, deal));
    await put(operator, deal.agreementBytes);
    world.evm.submitJob(key, hash(0x77));
    const view = await until(world, operator, key, ["SETTLED"], { seconds: 200 });
    expect(view.verdict?.outcome).to.equal("WITHHELD");
    expect(world.evm.jobStatus(key)).to.equal(REJECTED);
    expect(world.genLayer.transactions).to.deep.equal([]);
  });

  it("leaves a job on which the judges did not agree to its expiry, since there is no split to deliver", async () => {
    world.genLayer.plans = ["UNDETERMINED", "LEADER_TIMEOUT"];
    const { key } = await deliverJob(world, operator);
    await until(world, operator, key, ["QUORUM"]);
    await turns(5);
    expect(world.evm.broadcast.size).to.equal(0);
    const view = await until(world, operator, key, ["EXPIRED"], { seconds: JOB_SECONDS / 2 });
    expect(view.verdict?.outcome).to.equal("UNDETERMINED");
    expect(world.evm.jobStatus(key)).to.equal(SUBMITTED);
  });

  it("works on agreements of the escrow beside jobs", async () => {
    const job = await deliverJob(world, operator);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, job.key, ["SETTLED"]);
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(new Set(world.evm.settlements.map(({ verdict }) => verdict.escrow)).size).to.equal(2);
  });

  describe("leaves a job alone, bothers nobody, and says why, when", () => {
    const cases: readonly (readonly [
      string,
      Partial<SimJob> | ((world: World) => Partial<SimJob>),
      string,
    ])[] = [
      ["its description is empty", { description: "" }, "its description does not commit to one agreement"],
      [
        "its description commits to two agreements",
        (of) => {
          const { description } = jobOf(of, dealOf(of));
          return { description: `${description}\n${description}` };
        },
        "its description does not commit to one agreement",
      ],
      ["it has no budget", { budget: 0n }, "it has no budget"],
      [
        "its client is an operator",
        { client: ADDRESSES.attester },
        `its buyer ${ADDRESSES.attester} is a member of our set`,
      ],
      [
        "its provider is an operator",
        { provider: ADDRESSES.attester },
        `its seller ${ADDRESSES.attester} is a member of our set`,
      ],
      [
        "its client is its provider",
        { client: "0x2222222222222222222222222222222222222222" },
        "its client is its provider",
      ],
    ];
    for (const [situation, changes, reason] of cases)
      it(situation, async () => {
        const made = typeof changes === "function" ? changes(world) : changes;
        const { key } = await deliverJob(world, operator, made);
        const view = await until(world, operator, key, ["EXPIRED"]);
        expect(view.reason).to.match(new RegExp(`^left alone: ${reason}`));
        const { ignoredReason } = (await get(`/v1/agreements/${key}`)) as { ignoredReason: string };
        expect(ignoredReason).to.match(new RegExp(`^${reason}`));
        expect(world.log.filter((line) => line.includes("Left a job alone"))).to.have.length(1);
        expect(world.genLayer.transactions).to.deep.equal([]);
        await expectNothingSigned(key);
      });

    for (const [situation, lies, reason] of [
      ["its contract refuses to tell of it", "reverts", "its contract tells of it in a way"],
      ["its contract answers in another shape", "nonsense", "its contract tells of it in a way"],
      ["it has another evaluator than was announced", { evaluator: COMMERCE }, "its evaluator reads"],
      ["it has another provider than the one who submitted", { provider: COMMERCE }, "its provider reads"],
      ["it has another client than was announced", { client: COMMERCE }, "its client reads"],
      ["it expires at another time than was announced", { expiredAt: 7 }, "its expiry reads"],
      ["it is another job", { jobId: 7_000n }, "its id reads"],
    ] as const)
      it(situation, async () => {
        world.jobs.lies = lies;
        const { key } = await deliverJob(world, operator);
        const view = await until(world, operator, key, ["EXPIRED"]);
        expect(view.reason).to.match(new RegExp(`^left alone: ${reason}`));
        await expectNothingSigned(key);
      });
  });

  it("keeps nothing of jobs that name another evaluator", async () => {
    const { key } = await deliverJob(world, operator, { evaluator: ADDRESSES.relayer });
    await turns(10);
    expect((await fetch(`${operator.url}/v1/agreements/${key}`)).status).to.equal(404);
    await expectNothingSigned(key);
  });

  for (const [situation, expiredIn] of [
    ["has expired when it is submitted", -1],
    ["expires in the second of its submission", 1],
    ["expires only after years", 10 * 365 * 86_400],
    ["never expires", Number.MAX_SAFE_INTEGER - 1_900_000_000],
  ] as const)
    it(`leaves a job alone that ${situation}`, async () => {
      const { key } = await deliverJob(world, operator, {
        expiredAt: world.evm.latest.timestamp + expiredIn,
      });
      await turns(10);
      expect(await submissionView(operator, key)).to.equal(null);
      expect(world.log.some((line) => line.includes("Left a job alone whose expiry"))).to.equal(true);
      await expectNothingSigned(key);
    });

  describe("signs nothing when what was agreed to changes under its hands:", () => {
    for (const [situation, lies] of [
      ["the budget", { budget: 1n }],
      ["the evaluator", { evaluator: COMMERCE }],
      ["the provider", { provider: COMMERCE }],
      ["the expiry", { expiredAt: 2_000_000_000 }],
      ["the agreement in its description", { description: `assay/agreement/1 sha256:${hash(0x66)}` }],
      ["its contract falls silent", "reverts"],
    ] as const)
      it(situation, async () => {
        const deal = dealOf(world);
        const key = world.evm.createJob(jobOf(world, deal));
        const submission = submissionOf(key);
        world.evm.submitJob(key, submission.hash);
        await until(world, operator, key, ["ANCHORED"]);
        world.jobs.lies = lies;
        await put(operator, deal.agreementBytes);
        await put(operator, submission.bytes);
        await turns(40);
        expect((await submissionView(operator, key))?.state).to.be.oneOf(["JUDGING", "PROVISIONAL"]);
        await expectNothingSigned(key);
      });
  });

  it("delivers nothing when what was agreed to changed after it had signed", async () => {
    const changing = await world.start(
      {
        boundary(name) {
          if (name === "attest.committed") world.jobs.lies = { budget: 1n };
        },
      },
      { ASSAY_DATA_DIR: `${world.dataDir}-changing` },
    );
    await operator.stop();
    const { key } = await deliverJob(world, changing);
    await until(world, changing, key, ["QUORUM"]);
    await turns(20);
    expect((await submissionView(changing, key))?.state).to.equal("QUORUM");
    expect(world.evm.broadcast.size).to.equal(0);
  });

  it("signs nothing when the block of the submission no longer shows its deliverable", async () => {
    const deal = dealOf(world);
    const key = world.evm.createJob(jobOf(world, deal));
    const submission = submissionOf(key);
    world.evm.submitJob(key, submission.hash);
    await until(world, operator, key, ["ANCHORED"]);
    const { number } = world.evm.latest;
    world.evm.fault = (method, [filter]) => {
      const { blockHash } = (filter ?? {}) as { blockHash?: string };
      const isOld = Array.from({ length: number + 1 }, (_, at) => world.evm.blockAt(at).hash as string);
      return method === "eth_getLogs" && blockHash !== undefined && isOld.includes(blockHash)
        ? []
        : undefined;
    };
    await put(operator, deal.agreementBytes);
    await put(operator, submission.bytes);
    await turns(40);
    await expectNothingSigned(key);
  });

  it("parks a job that its contract lets be submitted a second time, and signs neither delivery", async () => {
    const deal = dealOf(world);
    const key = world.evm.createJob(jobOf(world, deal));
    const submission = submissionOf(key);
    world.evm.submitJob(key, submission.hash);
    await until(world, operator, key, ["ANCHORED"]);
    world.evm.submitJob(key, hash(0x52));
    const view = await until(world, operator, key, ["QUARANTINED"]);
    expect(view.reason).to.equal(`the job was submitted a second time, with ${hash(0x52)}`);
    await put(operator, deal.agreementBytes);
    await put(operator, submission.bytes);
    await turns(20);
    await expectNothingSigned(key);
  });

  it("spends no more than so much gas on a job, whatever its hook wants", async () => {
    world.jobs.gas = 1_500_001n;
    const { key } = await deliverJob(world, operator);
    const view = await until(world, operator, key, ["QUARANTINED"]);
    expect(view.reason).to.equal("the delivery would take 1500001 gas, of which at most 1500000 is spent");
    expect(world.evm.broadcast.size).to.equal(0);
  });

  it("sends nothing to a job that would refuse it, and parks it", async () => {
    world.jobs.refuses = true;
    const { key } = await deliverJob(world, operator);
    const view = await until(world, operator, key, ["QUARANTINED"], { timeout: 15_000 });
    expect(view.reason).to.match(/^the delivery would revert with/);
    expect(world.evm.broadcast.size).to.equal(0);
  }).timeout(20_000);

  it("takes up a job only when its submission is final: in another block its number may be another job's", async () => {
    world.evm.finalityDepth = 6;
    const first = dealOf(world);
    const job = jobOf(world, first);
    const key = world.evm.createJob(job);
    world.evm.submitJob(key, hash(0x51));
    await turns(3);
    expect(await submissionView(operator, key)).to.equal(null);
    world.evm.reorg(3);
    // The same number, another client, another agreement.
    const other = dealOf(world, { agreement: { title: "Another delivery" } });
    const submission = submissionOf(key);
    world.evm.createJob({ ...jobOf(world, other), jobId: job.jobId, client: COMMERCE });
    world.evm.submitJob(key, submission.hash);
    await put(operator, other.agreementBytes);
    await put(operator, submission.bytes);
    await until(world, operator, key, ["SETTLED"]);
    const { terms } = (await get(`/v1/agreements/${key}`)) as { terms: Record<string, string> };
    expect(terms["buyer"]).to.equal(COMMERCE);
    expect(terms["agreementHash"]).to.equal(other.terms.agreementHash);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("takes another's delivery of its own verdict for settled", async () => {
    world.evm.includes = false;
    const { key } = await deliverJob(world, operator);
    const { verdict } = await until(world, operator, key, ["SETTLE_SENT"]);
    world.evm.endJob(key, "JobCompleted", EVALUATOR, verdict?.verdictHash);
    await until(world, operator, key, ["SETTLED"]);
  });

  it("conflicts with an evaluation by another verdict", async () => {
    world.evm.includes = false;
    const { key } = await deliverJob(world, operator);
    await until(world, operator, key, ["SETTLE_SENT"]);
    world.evm.endJob(key, "JobRejected", EVALUATOR, hash(0x99));
    const view = await until(world, operator, key, ["CONFLICT"]);
    expect(view.reason).to.match(/was settled with verdict 0x9999/);
  });

  it("follows an evaluation back when its block leaves the chain", async () => {
    world.evm.finalityDepth = 8;
    world.evm.includes = false;
    const { key } = await deliverJob(world, operator);
    const { verdict } = await until(world, operator, key, ["SETTLE_SENT"]);
    world.evm.endJob(key, "JobCompleted", EVALUATOR, verdict?.verdictHash);
    await until(world, operator, key, ["SETTLED_SEEN"]);
    world.evm.reorg(2);
    await until(world, operator, key, ["SETTLE_SENT"]);
    world.evm.includes = true;
    await until(world, operator, key, ["SETTLED"]);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("ends with the job when its client was refunded", async () => {
    const deal = dealOf(world);
    const key = world.evm.createJob(jobOf(world, deal));
    world.evm.submitJob(key, hash(0x51));
    await until(world, operator, key, ["ANCHORED"]);
    world.evm.endJob(key, "JobExpired", EVALUATOR);
    const view = await until(world, operator, key, ["EXPIRED"]);
    expect(view.reason).to.equal("the job expired, and its client was refunded");
  });

  it("shows a job that had ended before this operator ever looked at it", async () => {
    const { key } = await deliverJob(world, operator);
    const { verdict } = await until(world, operator, key, ["SETTLED"]);
    world.evm.mine(5);
    const late = await world.start({}, { ASSAY_DATA_DIR: `${world.dataDir}-late` });
    const view = await until(world, late, key, ["SETTLED"]);
    expect(view.reason).to.equal("settled by others before this operator had a verdict");
    expect(verdict).to.not.equal(null);
  });

  it("goes on with the escrow when an ERC-8183 contract logs what nobody can read", async () => {
    const { topicHash } = commerceInterface.getEvent("JobSubmitted")!;
    world.evm.fault = (method, [filter]) => {
      if (method !== "eth_getLogs") return undefined;
      const logs = world.evm.logsFor(filter as never) as Record<string, unknown>[];
      return logs.map((log) =>
        log["address"] === COMMERCE ? { ...log, topics: [topicHash], data: "0x12" } : log,
      );
    };
    const job = await deliverJob(world, operator);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(await submissionView(operator, job.key)).to.equal(null);
  });

  it("does not start with the evaluator of another set", async () => {
    world.evm.jobs = Object.assign(world.jobs, { configHash: hash(0x12) });
    const error = await rejection(world.start({}, { ASSAY_DATA_DIR: `${world.dataDir}-other` }));
    expect(error).to.be.instanceOf(ChainIdentityError);
    expect(String(error)).to.include("ASSAY_ERC8183_EVALUATOR");
  });

  it("lists jobs apart from agreements, and shows where each is held", async () => {
    const { key, job } = await deliverJob(world, operator);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, key, ["SETTLED"]);
    await until(world, operator, agreementId, ["SETTLED"]);
    const listed = async (query: string) =>
      ((await get(`/v1/agreements${query}`)) as { agreements: Record<string, unknown>[] }).agreements;
    expect((await listed("")).map((one) => one["agreementId"])).to.deep.equal([agreementId]);
    const [shown] = await listed("?venue=jobs");
    expect(shown).to.deep.include({
      agreementId: key,
      job: { commerce: COMMERCE, jobId: job.jobId.toString() },
      escrowStatus: "Released",
      state: "SETTLED",
      outcome: "PASS",
    });
    expect(await listed(`?venue=jobs&party=${job.provider}&role=seller`)).to.have.length(1);
    expect(await listed(`?venue=jobs&party=${job.provider}&role=buyer`)).to.have.length(0);
  });

  it("tells a job's life as a timeline, from the budget to the end", async () => {
    const { key } = await deliverJob(world, operator);
    await until(world, operator, key, ["SETTLED"]);
    const { entries } = (await get(`/v1/agreements/${key}/timeline`)) as {
      entries: { moment: string; reached: boolean; transactionHash: string | null }[];
    };
    expect(entries.map(({ moment }) => moment)).to.deep.equal([
      ...["funded", "included", "final", "relayed", "provisional", "finalized", "attested", "settled"],
    ]);
    expect(entries.every(({ reached }) => reached)).to.equal(true);
    expect(entries.at(-1)?.transactionHash).to.equal(world.evm.settlements[0]?.transactionHash);
  });

  it("counts no job in a party's reputation: its contract could have been told anything", async () => {
    const { key, job } = await deliverJob(world, operator);
    await until(world, operator, key, ["SETTLED"]);
    const { asSeller } = (await get(`/v1/reputation/${job.provider}`)) as {
      asSeller: { counts: Record<string, number> };
    };
    expect(Object.values(asSeller.counts).every((count) => count === 0)).to.equal(true);
    expect(((await get("/v1/parties")) as { parties: unknown[] }).parties).to.deep.equal([]);
  });

  it("prepares the same delivery for whoever wants to send it", async () => {
    world.evm.includes = false;
    const { key } = await deliverJob(world, operator);
    await until(world, operator, key, ["SETTLE_SENT"]);
    const response = await fetch(`${operator.url}/v1/prepare/deliver`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agreementId: key, from: ADDRESSES.relayer }),
    });
    const { steps } = (await response.json()) as {
      steps: { to: string; data: string; description: string }[];
    };
    expect(steps[0]).to.deep.include({ to: EVALUATOR });
    expect(steps[0]?.description).to.include("completes the job");
    expect(world.jobs.deliver(steps[0]?.data ?? "", 0, [{ key, name: "JobSubmitted" }])?.name).to.equal(
      "JobCompleted",
    );
  });

  it("prepares no delivery of a verdict that moves nothing, and no other operation on a job", async () => {
    world.genLayer.plans = ["UNDETERMINED", "LEADER_TIMEOUT"];
    const { key } = await deliverJob(world, operator);
    await until(world, operator, key, ["QUORUM"]);
    const codeOf = async (operation: string, body: object) => {
      const response = await fetch(`${operator.url}/v1/prepare/${operation}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { code: string }).code;
    };
    expect(await codeOf("deliver", { agreementId: key })).to.equal("nothing_to_deliver");
    expect(await codeOf("expire", { agreementId: key })).to.equal("agreement_unknown");
  });
});
