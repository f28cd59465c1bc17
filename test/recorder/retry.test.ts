import { verifyExecution } from "@assay/protocol";
import { expect } from "chai";
import { claimOf } from "./support/claim.ts";
import { Walker, reasonOn, stampOn } from "./support/walker.ts";
import { TOUR, type World, startWorld } from "./support/world.ts";

describe("recorder: repetitions and broken exchanges", () => {
  let world: World;
  let walker: Walker;
  beforeEach(async () => {
    world = await startWorld({ upstreamTimeoutMilliseconds: 300 });
    walker = await Walker.onboard(world.recorder.url);
  });
  afterEach(async () => {
    expect(world.reports).to.deep.equal([]);
    await world.close();
  });

  it("answers the same call again with the recorded bytes and stamp, and asks the upstream once", async () => {
    const { mission_id: id } = await walker.start();
    for (const call of TOUR.slice(0, 4)) {
      const first = await walker.call(id, call);
      const again = await walker.call(id, call);
      expect(again.body).to.equal(first.body);
      expect(stampOn(again)).to.deep.equal(stampOn(first));
      expect(again.headers["x-a2a-mission-replayed"]).to.equal("true");
      expect(first.headers).to.not.have.property("x-a2a-mission-replayed");
    }
    expect(world.upstream.seen).to.have.length(4);
  });

  it("repeats the last step after the end too", async () => {
    const { mission_id: id } = await walker.start("head");
    const call = { method: "HEAD", target: "/status" };
    const first = stampOn(await walker.call(id, call));
    expect(stampOn(await walker.call(id, call))).to.deep.equal(first);
    expect(world.upstream.seen).to.have.length(1);
  });

  it("takes another body or query for another call", async () => {
    const { mission_id: id } = await walker.start();
    await walker.call(id, TOUR[0]);
    const other = await walker.call(id, { method: "GET", target: "/api/v1/agents?limit=11" });
    expect([stampOn(other), reasonOn(other)]).to.deep.equal([undefined, "out_of_order"]);
    expect(world.upstream.seen).to.have.length(2);
  });

  it("tells a repetition from an equal next step by the index that the client names", async () => {
    const { mission_id: id } = await walker.start("twice");
    const call = (step?: number) =>
      walker.call(id, {
        method: "GET",
        target: "/status",
        ...(step !== undefined && { headers: { "x-a2a-mission-step": `${step}` } }),
      });
    const first = await call(0);
    expect(stampOn(await call(0))).to.deep.equal(stampOn(first));
    expect(stampOn(await call(1))).to.include({ step_index: 1, mission_status: "completed" });
    expect(world.upstream.seen).to.have.length(2);
    expect(verifyExecution(claimOf(await walker.mission(id))).valid).to.equal(true);
  });

  it("records once what was sent many times at once", async () => {
    const { mission_id: id } = await walker.start();
    const { answer } = world.upstream;
    world.upstream.answer = (...args) => void setTimeout(() => answer(...args), 50);
    const answers = await Promise.all(Array.from({ length: 12 }, () => walker.call(id, TOUR[0])));
    expect(new Set(answers.map((item) => JSON.stringify([item.body, stampOn(item)]))).size).to.equal(1);
    expect(world.upstream.seen).to.have.length(1);
    expect((await walker.mission(id)).attestations).to.have.length(1);
  });

  it("lets one of two calls with different bytes be the step", async () => {
    const { mission_id: id } = await walker.start();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((limit) =>
        walker.call(id, { method: "GET", target: `/api/v1/agents?limit=${limit}` }),
      ),
    );
    expect(answers.filter((answer) => stampOn(answer) !== undefined)).to.have.length(1);
    expect(answers.filter((answer) => reasonOn(answer) === "out_of_order")).to.have.length(3);
  });

  it("records nothing when the upstream is silent, breaks off or is gone, and takes the call again", async () => {
    const { mission_id: id } = await walker.start();
    const { answer } = world.upstream;
    const broken: [number, string, World["upstream"]["answer"]][] = [
      [504, "upstream_timeout", () => undefined],
      [502, "upstream_unreachable", (_seen, request) => request.socket.destroy()],
      [
        502,
        "upstream_unreachable",
        (_seen, request, response) => {
          response.writeHead(200, { "content-length": "10" });
          response.write("half");
          setTimeout(() => request.socket.destroy(), 20);
        },
      ],
      [
        504,
        "upstream_timeout",
        (_seen, _request, response) => {
          response.writeHead(200);
          const timer = setInterval(() => response.write("."), 50);
          response.on("close", () => clearInterval(timer));
        },
      ],
    ];
    for (const [status, code, act] of broken) {
      world.upstream.answer = act;
      const failed = await walker.call(id, TOUR[0]);
      expect(failed.status).to.equal(status);
      expect(failed.headers["content-type"]).to.equal("application/problem+json");
      expect(JSON.parse(failed.body)).to.include({ status, code });
      expect(stampOn(failed)).to.equal(undefined);
      expect((await walker.mission(id)).attestations).to.deep.equal([]);
    }
    world.upstream.answer = answer;
    expect(stampOn(await walker.call(id, TOUR[0]))).to.include({ step_index: 0 });
  });

  it("gives the upstream one key for every repetition of a step that acts, and leaves a client's own", async () => {
    const { mission_id: id } = await walker.start();
    for (const call of TOUR.slice(0, 3)) await walker.call(id, call);
    const { answer } = world.upstream;
    world.upstream.answer = () => undefined;
    await walker.call(id, TOUR[3]);
    world.upstream.answer = answer;
    await walker.call(id, TOUR[3]);
    const keys = world.upstream.seen
      .filter(({ url }) => url === "/orders")
      .map(({ headers }) => headers["idempotency-key"]);
    expect(keys).to.deep.equal([`${id}-3`, `${id}-3`]);

    const { mission_id: other } = await walker.start();
    for (const call of TOUR.slice(0, 3)) await walker.call(other, call);
    await walker.call(other, { ...TOUR[3], headers: { "idempotency-key": "mine" } });
    expect(world.upstream.seen.at(-1)!.headers["idempotency-key"]).to.equal("mine");
  });

  it("keeps the record of a call whose client went away, and hands it over later", async () => {
    const { mission_id: id } = await walker.start();
    const { answer } = world.upstream;
    world.upstream.answer = (...args) => void setTimeout(() => answer(...args), 100);
    const { request } = await import("node:http");
    const { hostname, port } = new URL(walker.url);
    const headers = { "x-api-key": walker.key, "x-a2a-mission": id };
    const leaving = request({ hostname, port, path: TOUR[0].target, headers });
    leaving.on("error", () => undefined);
    leaving.end();
    while (world.upstream.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    leaving.destroy();
    const later = await walker.call(id, TOUR[0]);
    expect(later.headers["x-a2a-mission-replayed"]).to.equal("true");
    expect(stampOn(later)).to.include({ step_index: 0 });
    expect(world.upstream.seen).to.have.length(1);
  });
});
