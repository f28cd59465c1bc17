import { expect } from "chai";
import type { Address, Hex } from "@assay/protocol";
import { latestSubmission, readAttestation, waitForAgreement } from "../../scripts/local/operator-api.ts";
import { balanceOf } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import { REWARD } from "../../scripts/local/walk.ts";
import { deployForJobs, openJobMarket, type FundedJob, type JobMarket } from "./support/jobs.ts";
import { operatorUrl, passTime } from "./support/scene.ts";
import { openStack } from "./support/world.ts";

const OPERATORS = [0, 1, 2];
const [REFUSING, QUIET] = [1, 0];

describe("ERC-8183 jobs, end to end, with three operators of which two have to sign", function () {
  this.timeout(180_000);
  let stack: Stack;
  let market: JobMarket;

  before(async () => {
    stack = await openStack();
    market = await openJobMarket(stack);
  });

  const holds = (who: "buyer" | "seller"): Promise<bigint> =>
    balanceOf(stack.venue, stack.cast[who].address as Address);

  /** Waits until every operator's work on the job has come to this state. */
  const untilAll = (job: FundedJob, state: string) =>
    Promise.all(
      OPERATORS.map(async (index) => {
        const view = await waitForAgreement(
          () => operatorUrl(stack, index),
          job.key,
          (agreement) => latestSubmission(agreement)?.state === state,
          { timeoutSeconds: 120 },
        );
        return { view, submission: latestSubmission(view)! };
      }),
    );

  it("complete a job that passes: the provider is paid once, for a verdict on which all agree", async () => {
    const before = await holds("seller");
    const job = await market.fund("password-reset/strict");
    await market.submit(job, "password-reset/strict");
    const all = await untilAll(job, "SETTLED");
    const verdicts = new Set(all.map(({ submission }) => submission.verdict?.verdictHash));
    expect([...verdicts]).to.deep.equal([await market.reasonOf(job)]);
    expect(all[0]?.submission.verdict?.outcome).to.equal("PASS");
    expect(all[0]?.submission.verdict?.record).to.include({ escrow: market.address, agreementId: job.key });
    expect(await market.stateOf(job)).to.equal("Completed");
    expect((await holds("seller")) - before).to.equal(REWARD);
  });

  it("reject a job that fails: the client has its budget back", async () => {
    const before = await holds("buyer");
    const job = await market.fund("password-reset/lenient");
    await market.submit(job, "password-reset/lenient");
    const all = await untilAll(job, "SETTLED");
    expect(all[0]?.submission.verdict?.outcome).to.equal("FAIL");
    expect(await market.reasonOf(job)).to.equal(all[0]?.submission.verdict?.verdictHash);
    expect(await market.stateOf(job)).to.equal("Rejected");
    expect(await holds("buyer")).to.equal(before);
  });

  it("pay nobody for a job whose description commits to two agreements; its expiry refunds the client", async () => {
    const before = await holds("buyer");
    const note = `assay/agreement/1 sha256:0x${"ab".repeat(32)}`;
    const job = await market.fund("password-reset/strict", { note });
    await market.submit(job, "password-reset/strict");
    const all = await untilAll(job, "EXPIRED");
    for (const [index, { view }] of all.entries()) {
      expect(view.ignoredReason).to.match(/^its description does not commit to one agreement/);
      expect(await readAttestation(operatorUrl(stack, index), job.key)).to.equal(undefined);
    }
    expect(await market.stateOf(job)).to.equal("Submitted");
    await passTime(stack, 7_201);
    await market.claimRefund(job);
    expect(await holds("buyer")).to.equal(before);
  });

  it("are not drained by a hook that refuses: nothing is sent, and anyone delivers once it is quiet", async () => {
    const before = await holds("seller");
    const hook = await deployForJobs(stack, "MoodyHook");
    const setMood = async (mood: number) => (await hook.getFunction("setMood").send(mood)).wait();
    const job = await market.fund("password-reset/strict", { hook: (await hook.getAddress()) as Address });
    await market.submit(job, "password-reset/strict");
    await setMood(REFUSING);
    await untilAll(job, "QUARANTINED");
    expect(await market.stateOf(job)).to.equal("Submitted");
    expect(await holds("seller")).to.equal(before);

    await setMood(QUIET);
    const response = await fetch(`${operatorUrl(stack)}/v1/prepare/deliver`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agreementId: job.key, from: stack.cast.seller.address }),
    });
    const { steps } = (await response.json()) as { steps: { to: Address; data: Hex }[] };
    const step = steps[0]!;
    const { to, data } = step;
    await (await stack.cast.seller.connect(stack.venue.provider).sendTransaction({ to, data })).wait();
    expect(await market.stateOf(job)).to.equal("Completed");
    expect((await holds("seller")) - before).to.equal(REWARD);
    await untilAll(job, "SETTLED");
  });
});
