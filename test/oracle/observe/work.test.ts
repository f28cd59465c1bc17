import { expect } from "chai";
import { createWorkLog, follow } from "../../../oracle/src/observe/index.ts";
import type { Step, Work } from "../../../oracle/src/run/index.ts";
import { AGREEMENT, SUBMISSION, state } from "../support/states.ts";

const KEY = { agreementId: AGREEMENT, submissionHash: SUBMISSION };
const ROW = { state: state() } as Work;
const call = (provider: string) =>
  ({ chain: "evm", provider, method: "eth_call", outcome: "answered", seconds: 0 }) as const;

describe("work log", () => {
  it("knows which endpoints a piece of work asked, under an id of its own", async () => {
    const log = createWorkLog();
    const pieces = await Promise.all(
      ["https://one.example", "https://two.example"].map((origin) =>
        log.run(async () => {
          await Promise.resolve();
          log.called(call(origin));
          await Promise.resolve();
          log.called(call(origin));
          return log.take(KEY);
        }),
      ),
    );
    expect(pieces.map((piece) => [...(piece?.origins ?? [])])).to.deep.equal([
      ["https://one.example"],
      ["https://two.example"],
    ]);
    expect(pieces[0]?.requestId)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(pieces[1]?.requestId);
  });

  it("remembers a submission's steps until their change is committed, once, as one piece of work", async () => {
    const log = createWorkLog();
    for (const origin of ["https://one.example", "https://two.example"]) {
      const handler = follow(log, () => {
        log.called(call(origin));
        return Promise.resolve<Step>({ events: [{ type: "Anchored" }] });
      });
      await handler(ROW);
    }
    expect([...(log.take(KEY)?.origins ?? [])]).to.deep.equal(["https://one.example", "https://two.example"]);
    expect(log.take(KEY)).to.equal(null);
  });

  it("forgets a submission of which nothing is going to be committed", async () => {
    const log = createWorkLog();
    await follow(log, () => Promise.resolve<Step>({ wait: "poll" }))(ROW);
    log.forget(KEY);
    expect(log.take(KEY)).to.equal(null);
  });

  it("takes calls outside of any work for nobody's", () => {
    const log = createWorkLog();
    log.called(call("https://one.example"));
    expect(log.take(KEY)).to.equal(null);
  });
});
