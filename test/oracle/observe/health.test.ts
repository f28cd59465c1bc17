import { expect } from "chai";
import { COMPONENTS, createHealth } from "../../../oracle/src/observe/index.ts";

describe("health", () => {
  const allHealthy = () => {
    const health = createHealth(() => 5);
    for (const component of COMPONENTS) health.report(component, "healthy", "well");
    return health;
  };

  it("is not ready before every component has reported", () => {
    const health = createHealth(() => 5);
    expect(health.ready()).to.equal(false);
    expect(health.components().evm).to.deep.equal({ status: "unhealthy", detail: "not known yet", at: 5 });
    expect(allHealthy().ready()).to.equal(true);
  });

  it("stays ready with a degraded component, not with an unhealthy one", () => {
    const health = allHealthy();
    health.report("peers", "degraded", "one is silent");
    expect(health.ready()).to.equal(true);
    health.report("signing", "unhealthy", "halted");
    expect(health.ready()).to.equal(false);
  });

  it("is not ready while it drains", () => {
    const health = allHealthy();
    health.drain();
    expect(health.ready()).to.equal(false);
    expect(health.draining()).to.equal(true);
  });
});
