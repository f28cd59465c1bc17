import { randomBytes } from "node:crypto";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { requestHash, responseHash, sha256 } from "@assay/protocol";
import { expect } from "chai";
import { send } from "./support/send.ts";
import { Walker, reasonOn, stampOn } from "./support/walker.ts";
import { TOUR, type World, startWorld } from "./support/world.ts";

const LIMIT = 64 * 1024;

describe("recorder: bodies", () => {
  let world: World;
  let walker: Walker;
  beforeEach(async () => {
    world = await startWorld({ maxBodyBytes: LIMIT });
    walker = await Walker.onboard(world.recorder.url);
  });
  afterEach(async () => {
    expect(world.reports).to.deep.equal([]);
    await world.close();
  });

  async function atOrder(): Promise<string> {
    const { mission_id: id } = await walker.start();
    for (const call of TOUR.slice(0, 3)) await walker.call(id, call);
    return id;
  }

  it("binds bytes that are no text, both ways", async () => {
    const [asked, answered] = [randomBytes(5000), randomBytes(7000)];
    world.upstream.answer = (_seen, _request, response) => response.end(answered);
    const id = await atOrder();
    const answer = await walker.call(id, { ...TOUR[3], body: asked });
    expect(Buffer.from(answer.body, "latin1").equals(answered)).to.equal(true);
    expect(world.upstream.seen.at(-1)!.body).to.equal(asked.toString("latin1"));
    const { attestations } = await walker.mission(id);
    expect(attestations[3]).to.include({
      request_hash: requestHash("POST", "/orders", sha256(asked)),
      response_hash: responseHash(200, sha256(answered)),
    });
  });

  it("records bodies of exactly the limit and passes larger ones on whole, unstamped", async () => {
    world.upstream.answer = (_seen, _request, response) => response.end("ok");
    for (const [size, reason] of [
      [LIMIT, undefined],
      [LIMIT + 1, "request_too_large"],
      [20 * LIMIT, "request_too_large"],
    ] as const) {
      const id = await atOrder();
      const body = randomBytes(size);
      const answer = await walker.call(id, { ...TOUR[3], body });
      expect(reasonOn(answer), `${size} bytes`).to.equal(reason);
      expect(world.upstream.seen.at(-1)!.body).to.equal(body.toString("latin1"));
    }
    for (const [size, reason] of [
      [LIMIT, undefined],
      [LIMIT + 1, "answer_too_large"],
      [20 * LIMIT, "answer_too_large"],
    ] as const) {
      const body = randomBytes(size);
      world.upstream.answer = (_seen, _request, response) => response.end(body);
      const { mission_id: id } = await walker.start();
      const answer = await walker.call(id, TOUR[0]);
      expect(reasonOn(answer), `${size} bytes`).to.equal(reason);
      expect(answer.body).to.equal(body.toString("latin1"));
    }
  });

  it("hashes what comes in chunks as if it came at once", async () => {
    world.upstream.answer = (_seen, _request, response) => {
      response.write("one ");
      setTimeout(() => response.end("two"), 20);
    };
    const { mission_id: id } = await walker.start();
    const answer = await walker.call(id, TOUR[0]);
    expect(answer.body).to.equal("one two");
    const { attestations } = await walker.mission(id);
    expect(attestations[0]!.response_hash).to.equal(responseHash(200, sha256(Buffer.from("one two"))));
  });

  it("forwards chunked requests, recorded or not", async () => {
    const id = await atOrder();
    for (const [target, stamped] of [
      ["/elsewhere", false],
      ["/orders", true],
    ] as const) {
      const answer = await walker.call(id, {
        method: "POST",
        target,
        body: "chunked",
        headers: { "transfer-encoding": "chunked" },
      });
      expect(answer.status).to.equal(200);
      expect(world.upstream.seen.at(-1)).to.include({ url: target, body: "chunked" });
      expect(stampOn(answer) !== undefined).to.equal(stamped);
    }
  });

  it("asks for a step's answer without content coding, and leaves other requests alone", async () => {
    world.upstream.answer = (seen, _request, response) => {
      const isGzip = String(seen.headers["accept-encoding"]).includes("gzip");
      response.writeHead(200, isGzip ? { "content-encoding": "gzip" } : {});
      response.end(isGzip ? gzipSync("text") : "text");
    };
    const headers = { "accept-encoding": "gzip" };
    const { mission_id: id } = await walker.start();
    expect((await walker.call(id, { ...TOUR[0], headers })).body).to.equal("text");
    const other = await send(world.recorder.url, { method: "GET", target: "/x", headers });
    expect(other.headers["content-encoding"]).to.equal("gzip");
  });

  it("passes a stream of events on as it comes, unstamped", async () => {
    let end: () => void = () => undefined;
    world.upstream.answer = (_seen, _request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: one\n\n");
      end = () => response.end("data: two\n\n");
    };
    const { mission_id: id } = await walker.start();
    const { hostname, port } = new URL(walker.url);
    const headers = { "x-api-key": walker.key, "x-a2a-mission": id };
    const text = await new Promise<string>((resolve, reject) => {
      httpRequest({ hostname, port, path: TOUR[0].target, headers, agent: false }, (incoming) => {
        let seen = "";
        expect(incoming.headers["x-a2a-mission-unstamped"]).to.equal("streaming");
        incoming.on("data", (chunk: Buffer) => {
          seen += chunk.toString();
          // The second event is not sent before the first has arrived.
          if (seen === "data: one\n\n") end();
        });
        incoming.on("end", () => resolve(seen));
      })
        .on("error", reject)
        .end();
    });
    expect(text).to.equal("data: one\n\ndata: two\n\n");
  });

  it("passes large bodies through without holding more than its client takes", async () => {
    const size = 96 << 20;
    const piece = Buffer.alloc(1 << 20, 7);
    let sent = 0;
    world.upstream.answer = (_seen, _request, response) => {
      const write = (): void => {
        while (sent < size) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once("drain", write);
            return;
          }
        }
        response.end();
      };
      write();
    };
    const { mission_id: id } = await walker.start();
    const { hostname, port } = new URL(walker.url);
    const headers = { "x-api-key": walker.key, "x-a2a-mission": id };
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest({ hostname, port, path: TOUR[0].target, headers, agent: false }, resolve)
        .on("error", reject)
        .end();
    });

    // Nobody reads yet: what the upstream gets rid of fits the buffers of four sockets, or the recorder holds it.
    await untilStill(() => sent);
    expect(sent).to.be.lessThan(size / 2);

    let received = 0;
    for await (const chunk of incoming) received += (chunk as Buffer).length;
    expect(received).to.equal(size);
  });
});

/** Waits until a number has not changed for a while. */
async function untilStill(read: () => number): Promise<void> {
  let last: number;
  do {
    last = read();
    await sleep(500);
  } while (last !== read());
}
