import { expect } from "chai";
import { createQueues } from "../../../oracle/src/run/queues.ts";
import { AGREEMENT, hash } from "../support/states.ts";

const key = (index: number) => ({ agreementId: AGREEMENT, submissionHash: hash(index) });

describe("queues", () => {
  it("lets as many into a lane as there are places, the others stand in line, and the rest finds it full", () => {
    const queues = createQueues(2, 1);
    expect([1, 2, 3, 4].map((index) => queues.enter("evm", key(index)))).to.deep.equal([
      "entered",
      "entered",
      "inLine",
      "full",
    ]);
    expect(queues.enter("genlayer", key(5))).to.equal("entered");
    expect([1, 3, 4].map((index) => queues.isInLine(key(index)))).to.deep.equal([false, true, false]);
  });

  it("calls whoever came first, once there is a place", () => {
    const queues = createQueues(1, 2);
    for (const index of [1, 2, 3]) queues.enter("evm", key(index));
    expect(queues.next("evm")).to.equal(null);
    queues.leave("evm");
    expect(queues.next("evm")).to.deep.equal(key(2));
    expect(queues.isInLine(key(2))).to.equal(false);
    expect(queues.next("evm")).to.deep.equal(key(3));
    expect(queues.next("evm")).to.equal(null);
  });

  it("sends away everybody who stands in line", () => {
    const queues = createQueues(1, 2);
    for (const index of [1, 2, 3]) queues.enter("evm", key(index));
    expect(queues.empty()).to.deep.equal([key(2), key(3)]);
    expect(queues.isInLine(key(2))).to.equal(false);
  });
});
