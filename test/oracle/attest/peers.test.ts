import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createPeers } from "../../../oracle/src/attest/index.ts";
import { Endpoint } from "../../../oracle/src/index.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES } from "../support/world.ts";

describe("peers", () => {
  let server: Server;
  let url: string;
  let answers: Record<string, unknown>;
  const asked: string[] = [];

  beforeEach(async () => {
    answers = {};
    asked.splice(0);
    server = createServer((request, response) => {
      const path = request.url ?? "";
      asked.push(path);
      const answer = answers[path];
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const peer = (path = "", member: typeof ADDRESSES.attester | null = ADDRESSES.attester) => ({
    endpoint: new Endpoint(new URL(`${url}${path}`)),
    member,
  });

  it("are asked below the path that they announced", async () => {
    await createPeers([peer("/assay"), peer("/assay/")]).attestations(hash(1));
    expect(asked).to.deep.equal([`/assay/v1/attestations/${hash(1)}`, `/assay/v1/attestations/${hash(1)}`]);
  });

  it("are known to answer once they said who they are", async () => {
    const peers = createPeers([peer()]);
    expect(peers.states()).to.deep.equal([{ origin: url, member: ADDRESSES.attester, status: "unknown" }]);
    answers["/v1/operator"] = { attester: ADDRESSES.attester };
    expect((await peers.check()).map(({ status }) => status)).to.deep.equal(["answers"]);
    expect(peers.states()[0]?.status).to.equal("answers");
  });

  it("are silent when they are down, or answer something else", async () => {
    const peers = createPeers([peer()]);
    expect((await peers.check()).map(({ status }) => status)).to.deep.equal(["silent"]);
    answers["/v1/operator"] = { attester: "nobody" };
    expect((await peers.check()).map(({ status }) => status)).to.deep.equal(["silent"]);
  });

  it("are left alone for a while when they take too long, and asked again when it is over or they are checked", async () => {
    let slow = true;
    const stuck = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (!slow) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => stuck.listen(0, "127.0.0.1", resolve));
    const endpoint = new Endpoint(new URL(`http://127.0.0.1:${(stuck.address() as AddressInfo).port}`));
    const peers = createPeers([{ endpoint, member: null }], { timeout: 60, rest: 400 });
    try {
      for (let time = 0; time < 3; time++) expect(await peers.attestations(hash(1))).to.deep.equal([]);
      expect(asked).to.have.length(1);
      slow = false;
      await peers.check();
      await peers.attestations(hash(1));
      expect(asked).to.have.length(3);
      slow = true;
      await peers.attestations(hash(1));
      await new Promise((resolve) => setTimeout(resolve, 450));
      await peers.attestations(hash(1));
      expect(asked).to.have.length(5);
    } finally {
      stuck.closeAllConnections();
      stuck.close();
    }
  });

  it("are foreign when they answer for another attester than the one that announced them", async () => {
    answers["/v1/operator"] = { attester: ADDRESSES.relayer };
    expect((await createPeers([peer()]).check()).map(({ status }) => status)).to.deep.equal(["foreign"]);
    expect((await createPeers([peer("", null)]).check()).map(({ status }) => status)).to.deep.equal([
      "answers",
    ]);
  });
});
