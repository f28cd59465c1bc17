import { expect } from "chai";
import { documentCid, documentHash } from "@assay/protocol";
import { createGatewaySource, createMirror, pinDocument } from "../../../oracle/src/documents/index.ts";
import { Endpoint, createLogger } from "../../../oracle/src/index.ts";
import { IpfsServer } from "../support/ipfs.ts";
import { hash } from "../support/states.ts";
import { createWorld, dealOf, put, submissionOf, until, type World } from "../support/world.ts";

const DOCUMENT = submissionOf(hash(1));
const silent = createLogger("silent", { write: () => undefined });

describe("IPFS", () => {
  let ipfs: IpfsServer;
  beforeEach(async () => {
    ipfs = await IpfsServer.start();
  });
  afterEach(() => ipfs.stop());

  const endpoint = (path = "") => new Endpoint(new URL(`${ipfs.url}${path}`));

  describe("gateway", () => {
    let now: number;
    beforeEach(() => {
      now = 1_000;
    });
    const source = (path = "") => createGatewaySource(endpoint(path), { now: () => now });

    it("is asked for the raw block whose name is the document's SHA-256", async () => {
      ipfs.blocks.set(documentCid(DOCUMENT.hash), DOCUMENT.bytes);
      expect(await source().fetch(DOCUMENT.hash)).to.deep.equal(DOCUMENT.bytes);
      expect(ipfs.requests.map(({ path }) => path)).to.deep.equal([
        `/ipfs/${documentCid(DOCUMENT.hash)}?format=raw`,
      ]);
    });

    it("may have a path and a key of its own", async () => {
      ipfs.blocks.set(documentCid(DOCUMENT.hash), DOCUMENT.bytes);
      expect(await source("/gateway/?key=1").fetch(DOCUMENT.hash)).to.deep.equal(DOCUMENT.bytes);
      expect(ipfs.requests[0]?.path).to.equal(`/gateway/ipfs/${documentCid(DOCUMENT.hash)}?key=1&format=raw`);
    });

    it("that serves other bytes has nothing", async () => {
      ipfs.blocks.set(documentCid(DOCUMENT.hash), submissionOf(hash(2)).bytes);
      expect(await source().fetch(DOCUMENT.hash)).to.equal(null);
    });

    it("is not read further than any document goes", async () => {
      const large = new Uint8Array(600_000).fill(0x20);
      ipfs.blocks.set(documentCid(documentHash(large)), large);
      expect(await source().fetch(documentHash(large))).to.equal(null);
    });

    it("is not asked for the same miss again and again, and is asked less often with each", async () => {
      const gateway = source();
      const asked = async () => {
        await gateway.fetch(DOCUMENT.hash);
        return ipfs.requests.length;
      };
      expect(await asked()).to.equal(1);
      now += 29_999;
      expect(await asked()).to.equal(1);
      now += 1;
      expect(await asked()).to.equal(2);
      now += 59_999;
      expect(await asked()).to.equal(2);
      ipfs.blocks.set(documentCid(DOCUMENT.hash), DOCUMENT.bytes);
      now += 1;
      expect(await gateway.fetch(DOCUMENT.hash)).to.deep.equal(DOCUMENT.bytes);
    });

    it("that is down has nothing", async () => {
      const gone = createGatewaySource(new Endpoint(new URL("http://127.0.0.1:9")), { now: () => now });
      expect(await gone.fetch(DOCUMENT.hash)).to.equal(null);
    });
  });

  describe("pinning", () => {
    it("puts the block, and demands the name that the hash gives it", async () => {
      expect(await pinDocument(endpoint(), DOCUMENT.hash, DOCUMENT.bytes)).to.equal(true);
      expect(ipfs.blocks.get(documentCid(DOCUMENT.hash))).to.deep.equal(DOCUMENT.bytes);
      expect(ipfs.requests[0]?.path).to.equal("/api/v0/block/put?cid-codec=raw&mhtype=sha2-256&pin=true");
      expect(await pinDocument(endpoint(), hash(2), DOCUMENT.bytes)).to.equal(false);
    });

    it("sends the URL's user as a header", async () => {
      const api = new Endpoint(new URL(`http://user:p%40ss@${ipfs.host}/kubo`));
      expect(await pinDocument(api, DOCUMENT.hash, DOCUMENT.bytes)).to.equal(true);
      expect(ipfs.requests[0]).to.deep.equal({
        path: "/kubo/api/v0/block/put?cid-codec=raw&mhtype=sha2-256&pin=true",
        authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
      });
    });

    it("fails when the node refuses", async () => {
      ipfs.refuses = true;
      expect(await pinDocument(endpoint(), DOCUMENT.hash, DOCUMENT.bytes)).to.equal(false);
    });
  });

  describe("mirror", () => {
    it("hands on what is offered, tries again what failed, and lets nothing wait for one that is refused", async () => {
      const pinned: string[] = [];
      let refusals = 2;
      const mirror = createMirror({
        pin: (name) => {
          if (name === hash(1) && refusals-- > 0) return Promise.resolve(false);
          pinned.push(name);
          return Promise.resolve(true);
        },
        read: () => Promise.resolve(new Uint8Array()),
        logger: silent,
        shortestRest: 1,
      });
      for (const byte of [1, 2, 1, 3]) mirror.offer(hash(byte));
      while (mirror.waiting() > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(pinned.toSorted()).to.deep.equal([hash(1), hash(2), hash(3)]);
      expect(pinned[0]).to.equal(hash(2));
      await mirror.stop();
    });

    it("stops in the middle of a pause", async () => {
      const mirror = createMirror({
        pin: () => Promise.resolve(false),
        read: () => Promise.resolve(new Uint8Array()),
        logger: silent,
      });
      mirror.offer(hash(1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      await mirror.stop();
      mirror.offer(hash(2));
      expect(mirror.waiting()).to.equal(1);
    });
  });

  describe("of operators", () => {
    let world: World;
    beforeEach(async () => {
      world = await createWorld();
    });
    afterEach(() => world.end());

    it("carries documents from one that mirrors to one that has nothing but a gateway", async () => {
      const deal = dealOf(world);
      const agreementId = world.evm.fund(deal.terms);
      const submission = submissionOf(agreementId);
      const first = await world.start({}, { ASSAY_IPFS_API: ipfs.url });
      await put(first, deal.agreementBytes);
      await put(first, submission.bytes);
      while (ipfs.blocks.size < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await first.stop();

      world.evm.submit(agreementId, submission.hash);
      const second = await world.start(
        {},
        { ASSAY_IPFS_GATEWAYS: ipfs.url, ASSAY_DATA_DIR: `${world.dataDir}/second` },
      );
      await until(world, second, agreementId, ["SETTLED"]);
      expect((await fetch(`${second.url}/v1/documents/${submission.hash}`)).status).to.equal(200);
    });
  });
});
