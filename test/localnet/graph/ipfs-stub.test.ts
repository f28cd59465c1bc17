import { expect } from "chai";
import { startIpfsStub } from "../../../localnet/src/graph/index.ts";

describe("localnet IPFS stub", () => {
  it("answers graph-node's probe as a gateway does, and holds nothing", async () => {
    const stub = await startIpfsStub();
    const probe = await fetch(`${stub.url}/ipfs/QmTest`, { method: "HEAD" });
    const content = await fetch(`${stub.url}/ipfs/QmTest`);
    const version = await fetch(`${stub.url}/api/v0/version`, { method: "POST" });
    expect([probe.status, content.status, version.status]).to.deep.equal([412, 404, 404]);
    await stub.stop();
    await stub.stop();
    expect(await fetch(stub.url).catch(() => "closed")).to.equal("closed");
  });
});
