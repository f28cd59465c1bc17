import { expect } from "chai";
import { createTokenBucket } from "../../../oracle/src/rpc/token-bucket.ts";

describe("a token bucket", () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
  });
  const create = (perSecond: number | null) => createTokenBucket(perSecond, () => now);

  it("lets one second's calls through at once, and spreads what comes after", () => {
    const bucket = create(2);
    expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).to.deep.equal([0, 0, 500, 1_000]);
  });

  it("never gives out more than its rate, however the calls come", () => {
    const bucket = create(2);
    let due: number[] = [];
    for (; now < 10_000; now += 50) due.push(now + bucket.take());
    due = due.filter((at) => at <= 10_000);
    expect(due.length).to.be.at.most(22);
  });

  it("fills up while nobody asks, to one second's calls and no more", () => {
    const bucket = create(2);
    for (let call = 0; call < 4; call++) bucket.take();
    now = 60_000;
    expect([bucket.take(), bucket.take(), bucket.take()]).to.deep.equal([0, 0, 500]);
  });

  it("holds nothing back where no limit is known, until the endpoint objects", () => {
    const bucket = create(null);
    for (let call = 0; call < 100; call++) expect(bucket.take()).to.equal(0);
    bucket.slower();
    expect(bucket.take()).to.be.greaterThan(0);
    // What the last second bore, a good part less.
    const waits = Array.from({ length: 70 }, () => bucket.take());
    expect(waits.at(-1)).to.be.within(900, 1_200);
  });

  it("never goes below one call a second, and never above a published limit", () => {
    const bucket = create(5);
    for (let refusal = 0; refusal < 50; refusal++) bucket.slower();
    expect(bucket.take()).to.be.at.most(1_000);
    for (let call = 0; call < 10_000; call++) bucket.faster();
    now += 60_000;
    expect(Array.from({ length: 6 }, () => bucket.take())).to.deep.equal([0, 0, 0, 0, 0, 200]);
  });
});
