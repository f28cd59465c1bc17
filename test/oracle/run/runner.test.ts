import { expect } from "chai";
import { createLogger } from "../../../oracle/src/index.ts";
import { createRunner, settleLane, type Runner, type Services } from "../../../oracle/src/run/index.ts";
import { openSqliteStore, type Store } from "../../../oracle/src/store/index.ts";
import { SIGNED } from "../store/contract.ts";
import { PASS, hash, state } from "../support/states.ts";

const NOW = 1_000_000;
const SUBMITTER = "0x5d5c99EdF529335160FF180fA141Dd4967fc00D2";
/** More than are worked on at the same time. */
const CROWD = 100;
/** Transactions of the submitter that may be under way. */
const PLACES = 16;

type Handlers = Parameters<typeof createRunner>[0]["handlers"];

/** The runner, on a chain that takes every transaction into a block at once. */
class Setting {
  readonly store: Store = openSqliteStore(":memory:");
  /** Nonces that are in blocks. */
  readonly included: number[] = [];
  readonly services: Services;
  readonly boundaries: string[] = [];

  constructor() {
    this.services = {
      store: this.store,
      config: { pollMilliseconds: 1_000, maxInFlight: PLACES },
      clock: { now: () => NOW },
      logger: createLogger("silent"),
      judge: { network: { name: "localnet", simulated: true }, relayer: PASS.judgeTx },
      chain: { nonce: () => Promise.resolve(this.included.length) },
      submitter: { address: SUBMITTER },
      view: () => null,
    } as unknown as Services;
  }

  runner(handlers: Partial<Handlers>): Runner {
    return createRunner({
      services: this.services,
      handlers: new Proxy({} as Handlers, {
        get: (_target, effect: keyof Handlers) =>
          handlers[effect] ?? (() => Promise.reject(new Error(`no ${effect} was expected`))),
      }),
      closeWindow: () => Promise.reject(new Error("no window closes")),
      boundary: (name) => void this.boundaries.push(name),
      draining: () => false,
    });
  }

  /** Submissions that are due in this order. */
  async add(...submissions: readonly ReturnType<typeof state>[]): Promise<void> {
    await this.store.commit({
      at: 1,
      submissions: submissions.map((after, index) => ({
        before: null,
        after,
        events: ["SubmissionSeen"],
        nextAt: index,
      })),
    });
  }

  /** Signs at once, and is in a block as soon as it is sent. */
  settling(): Partial<Handlers> {
    return {
      prepareSettlement: ({ state: { submissionHash } }) =>
        Promise.resolve({
          lane: settleLane(this.services),
          sign: (nonce) => Promise.resolve({ transactionHash: submissionHash, raw: "0x02", nonce, fee: 1n }),
          signed: (transactionHash) => ({ events: [{ type: "SettlementSigned", transactionHash }] }),
        }),
      broadcastSettlement: async ({ journal }) => {
        const outbox = await journal.open("settle");
        this.included.push(outbox!.nonce);
        const [attempt] = outbox!.attempts;
        return {
          events: [{ type: "SettlementBroadcast" }],
          change: { sent: [{ transactionHash: attempt!.transactionHash, block: 7 }] },
        };
      },
      watchSettlement: async ({ state: { name }, journal }) => {
        if (name === "SETTLE_INCLUDED") return { wait: "finality" };
        const outbox = await journal.open("settle");
        expect(outbox?.attempts[0]?.sentAtBlock).to.equal(7);
        return {
          events: [{ type: "SettlementIncluded", block: { number: 7, hash: hash(7) } }],
          change: { outboxStatus: [{ outboxId: outbox!.id, status: "included" }] },
        };
      },
    };
  }
}

const crowd = () =>
  Array.from({ length: CROWD }, (_, index) =>
    state({ name: "QUORUM", verdict: PASS, submissionHash: hash(index) }),
  );

describe("runner", () => {
  let setting: Setting;
  beforeEach(() => {
    setting = new Setting();
  });
  afterEach(() => setting.store.close());

  it("works on what needs no lane while a crowd waits for one", async () => {
    const calm = state({ submissionHash: hash(200), name: "ANCHORED" });
    await setting.add(...crowd(), calm);
    const gate = Promise.withResolvers<undefined>();
    let inLane = 0;
    const seen: string[] = [];
    const runner = setting.runner({
      prepareSettlement: async () => {
        inLane++;
        await gate.promise;
        return { wait: "finality" };
      },
      collectDocuments: ({ state: { submissionHash } }) => {
        seen.push(submissionHash);
        return Promise.resolve({ wait: "finality" });
      },
    });
    try {
      for (let step = 0; step < 4; step++) {
        await runner.step();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(seen).to.deep.equal([calm.submissionHash]);
      expect(inLane, "as many as there are nonces for").to.equal(PLACES);
    } finally {
      gate.resolve(undefined);
      await runner.idle();
    }
  });

  it("lets a crowd through a lane in its order, each with a nonce of its own, and keeps none of it", async () => {
    await setting.add(...crowd());
    const runner = setting.runner(setting.settling());
    let most = 0;
    while ((await runner.step()) > 0)
      most = Math.max(most, (await setting.store.openNonces("evm", SUBMITTER)).length);
    await runner.idle();
    expect(setting.included).to.deep.equal(Array.from({ length: CROWD }, (_, nonce) => nonce));
    expect(most).to.be.at.most(PLACES);
    const claimed = await setting.store.claim(NOW + 3_600_000, CROWD);
    expect(claimed.map((row) => row.state.name)).to.deep.equal(Array(CROWD).fill("SETTLE_INCLUDED"));
    const nonces = await Promise.all(
      crowd().map(async (one) => (await setting.store.openOutbox(one, "settle"))?.nonce),
    );
    expect(nonces).to.deep.equal(setting.included);
  });

  it("writes steps that nobody has to see together, with a line of history for each", async () => {
    const submission = state({ name: "OBSERVED" });
    await setting.add(submission);
    const runner = setting.runner({
      anchor: () => Promise.resolve({ events: [{ type: "Anchored" }] }),
      collectDocuments: ({ state: { name } }) => {
        expect(name).to.equal("ANCHORED");
        return Promise.resolve({ wait: "poll", note: "waiting for the agreement's document" });
      },
    });
    await runner.step();
    await runner.idle();
    const row = await setting.store.submission(submission);
    expect([row?.version, row?.state.name]).to.deep.equal([2, "ANCHORED"]);
    expect(row?.nextAt).to.be.greaterThan(NOW);
    expect(setting.boundaries).to.deep.equal(["anchor.done", "anchor.committed"]);
  });

  it("keeps what was found before a failure, and counts that", async () => {
    const submission = state({ name: "OBSERVED" });
    await setting.add(submission);
    const runner = setting.runner({
      anchor: () => Promise.resolve({ events: [{ type: "Anchored" }] }),
      collectDocuments: () => Promise.reject(new Error("the disk of the peer is gone")),
    });
    await runner.step();
    await runner.idle();
    const row = await setting.store.submission(submission);
    expect([row?.state.name, row?.attempts]).to.deep.equal(["ANCHORED", 1]);
    expect(row?.lastError).to.include("the disk of the peer is gone");
    expect(await setting.store.claim(NOW + 3_600_000, 1)).to.have.length(1);
  });

  it("parks a submission for which something else was signed, with everything that was found on the way", async () => {
    const submission = state({ name: "JUDGING", judgeTx: PASS.judgeTx });
    await setting.add(submission);
    const key = { agreementId: submission.agreementId, submissionHash: submission.submissionHash };
    const signed = {
      ...SIGNED,
      key,
    };
    await setting.store.commit({ at: 1, signed: [signed] });
    const runner = setting.runner({
      readJudge: () => Promise.resolve({ events: [{ type: "JudgeVerdict", verdict: PASS }] }),
      attest: () =>
        Promise.resolve({
          events: [{ type: "Attested", digest: hash(0xd2) }],
          change: { signed: [{ ...signed, digest: hash(0xd2) }] },
        }),
    });
    await runner.step();
    await runner.idle();
    const row = await setting.store.submission(submission);
    expect(row?.state.name).to.equal("CONFLICT");
    expect(row?.state.reason).to.include(hash(0xd1));
    expect((await setting.store.transitions(key)).map(({ to }) => to)).to.deep.equal([
      "JUDGING",
      "VERDICT_FINAL",
      "CONFLICT",
    ]);
    expect((await setting.store.signed(SIGNED.escrow, key))?.digest).to.equal(hash(0xd1));
  });
});
