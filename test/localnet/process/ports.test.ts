import { createServer, type AddressInfo, type Server } from "node:net";
import { expect } from "chai";
import { claimPort, freePort } from "../../../localnet/src/process/index.ts";

const listen = (host: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, host, () => resolve(server));
  });

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe("localnet ports", () => {
  it("gives each caller its own free port", async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports)).to.have.property("size", 20);
  });

  it("takes a port that is asked for and free", async () => {
    const port = await freePort();
    expect(await claimPort(port, "a test")).to.equal(port);
  });

  for (const host of ["127.0.0.1", "0.0.0.0"]) {
    it(`refuses a port that somebody holds on ${host}, and says who wanted it`, async () => {
      const holder = await listen(host);
      const port = portOf(holder);
      const error: unknown = await claimPort(port, "the test").catch((reason: unknown) => reason);
      holder.close();
      expect(error).to.include({
        code: "PORT_IN_USE",
        message: `Port ${port}, wanted by the test, is in use.`,
      });
    });
  }

  for (const port of [0, -1, 65_536, 8_545.5, Number.NaN]) {
    it(`refuses ${port} as a port`, async () => {
      const error: unknown = await claimPort(port, "the test").catch((reason: unknown) => reason);
      expect(error).to.have.property("code", "BAD_OPTION");
    });
  }
});
