import { expect } from "chai";
import { createWorkLog, follow } from "../../../oracle/src/observe/index.ts";
import type { Step } from "../../../oracle/src/run/index.ts";
import type { SubmissionRow } from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";
import { AGREEMENT, SUBMISSION, state } from "../support/states.ts";

const KEY = { agreementId: AGREEMENT, submissionHash: SUBMISSION };
const ROW = { state: state() } as SubmissionRow;
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

  it("remembers a submission's last step until its change is committed, once", async () => {
    const log = createWorkLog();
    const handler = follow(log, () => {
      log.called(call("https://one.example"));
      return Promise.resolve<Step>({ events: [{ type: "Anchored" }] });
    });
    await handler(ROW);
    expect([...(log.take(KEY)?.origins ?? [])]).to.deep.equal(["https://one.example"]);
    expect(log.take(KEY)).to.equal(null);
  });

  it("forgets a step that changes nothing", async () => {
    const log = createWorkLog();
    await follow(log, () => Promise.resolve<Step>({ wait: "poll" }))(ROW);
    expect(log.take(KEY)).to.equal(null);
    await rejection(follow(log, () => Promise.reject(new Error("down")))(ROW));
    expect(log.take(KEY)).to.equal(null);
  });

  it("takes calls outside of any work for nobody's", () => {
    const log = createWorkLog();
    log.called(call("https://one.example"));
    expect(log.take(KEY)).to.equal(null);
  });
});
