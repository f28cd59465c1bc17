import { connect } from "node:net";
import { expect } from "chai";
import { send } from "./support/send.ts";
import { Walker, reasonOn, stampOn } from "./support/walker.ts";
import { TOUR, type World, startWorld } from "./support/world.ts";

describe("recorder: as a proxy", () => {
  let world: World;
  let walker: Walker;
  beforeEach(async () => {
    world = await startWorld();
    walker = await Walker.onboard(world.recorder.url);
  });
  afterEach(() => world.close());

  it("passes method, target, headers, status and body on as they are", async () => {
    world.upstream.answer = (_seen, _request, response) => {
      response.writeHead(
        418,
        "Teapot",
        [
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
          ["X-Mixed-Case", "Yes"],
        ].flat(),
      );
      response.end("tea");
    };
    const target = "/a/../b//c%2Fd?x=%C3%A9&y=[1]";
    const answer = await send(world.recorder.url, {
      method: "PATCH",
      target,
      headers: { authorization: "Bearer upstream", "x-custom": "1", "x-api-key": "the upstream's own" },
      body: "tea?",
    });
    expect(answer).to.include({ status: 418, body: "tea" });
    expect(answer.headers["set-cookie"]).to.deep.equal(["a=1", "b=2"]);
    const seen = world.upstream.seen.at(-1)!;
    expect(seen).to.include({ method: "PATCH", url: target, body: "tea?" });
    expect(seen.headers).to.include({
      authorization: "Bearer upstream",
      "x-custom": "1",
      "x-api-key": "the upstream's own",
      host: world.settings.upstream.host,
    });
  });

  it("keeps its keys from the upstream and tells it who calls; a client can't say so itself", async () => {
    await walker.call("none", { method: "GET", target: "/x", headers: { "x-a2a-agent": "somebody" } });
    const { headers } = world.upstream.seen.at(-1)!;
    expect(headers).to.not.have.property("x-api-key");
    expect(headers).to.not.have.property("x-a2a-mission");
    expect(headers["x-a2a-agent"]).to.equal(walker.agentId);
    await send(world.recorder.url, { method: "GET", target: "/x", headers: { "x-a2a-agent": "somebody" } });
    expect(world.upstream.seen.at(-1)!.headers).to.not.have.property("x-a2a-agent");
  });

  it("calls a step without auth without credentials, whatever the client sent, and one with auth with all of them", async () => {
    const { mission_id: id } = await walker.start();
    const credentials = { authorization: "Bearer upstream", cookie: "session=1", "x-custom": "1" };
    for (const call of TOUR) {
      expect(stampOn(await walker.call(id, { ...call, headers: credentials }))).to.not.equal(undefined);
      const { headers } = world.upstream.seen.at(-1)!;
      const isAuthenticated = call.target.includes("/me/") || call.method === "POST";
      expect(headers).to.include({ "x-custom": "1" }).and.not.have.property("x-api-key");
      for (const [name, value] of Object.entries({
        authorization: "Bearer upstream",
        cookie: "session=1",
        "x-a2a-agent": walker.agentId,
      }))
        expect(headers[name], `${call.target} ${name}`).to.equal(isAuthenticated ? value : undefined);
    }
  });

  it("stamps no step, with auth or without, for whoever has not the key of the mission's agent", async () => {
    const { mission_id: id } = await walker.start();
    const other = await Walker.onboard(world.recorder.url);
    for (const call of TOUR.slice(0, 3)) {
      const answers = [
        [await other.call(id, call), "unknown_mission"],
        [await send(world.recorder.url, { ...call, headers: { "x-a2a-mission": id } }), "unauthenticated"],
      ] as const;
      for (const [answer, reason] of answers) {
        expect(stampOn(answer)).to.equal(undefined);
        expect(reasonOn(answer)).to.equal(reason);
      }
      expect(stampOn(await walker.call(id, call))).to.not.equal(undefined);
    }
  });

  it("lets no upstream stamp", async () => {
    world.upstream.answer = (_seen, _request, response) => {
      response.writeHead(200, { "x-a2a-mission-step": '{"step_index":0}', "x-a2a-mission-replayed": "true" });
      response.end();
    };
    const answer = await send(world.recorder.url, { method: "GET", target: "/x" });
    expect(stampOn(answer)).to.equal(undefined);
    const { mission_id: id } = await walker.start();
    const stamped = await walker.call(id, TOUR[0]);
    expect(stampOn(stamped)).to.include({ mission_status: "in_progress" });
    expect(stamped.headers).to.not.have.property("x-a2a-mission-replayed");
  });

  it("forwards no header that concerns one connection", async () => {
    await send(world.recorder.url, {
      method: "GET",
      target: "/x",
      headers: { connection: "close, x-hop", "x-hop": "1", te: "trailers", "proxy-authorization": "secret" },
    });
    const { headers } = world.upstream.seen.at(-1)!;
    for (const name of ["x-hop", "te", "proxy-authorization"]) expect(headers).to.not.have.property(name);
  });

  it("refuses targets that are no path, and requests with two lengths", async () => {
    const raw = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(world.recorder.url);
        let answer = "";
        const socket = connect(Number(port), hostname, () => socket.write(text));
        socket.on("data", (chunk) => (answer += chunk.toString()));
        socket.on("close", () => resolve(answer));
        socket.on("error", reject);
      });
    const head = "Host: x\r\nConnection: close\r\n";
    expect(await raw(`GET http://elsewhere/ HTTP/1.1\r\n${head}\r\n`)).to.match(/^HTTP\/1\.1 400/);
    expect(await raw(`OPTIONS * HTTP/1.1\r\n${head}\r\n`)).to.match(/^HTTP\/1\.1 400/);
    expect(
      await raw(
        `POST /x HTTP/1.1\r\n${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ),
    ).to.match(/^HTTP\/1\.1 400/);
    expect(world.upstream.seen).to.deep.equal([]);
  });

  it("limits every client by itself", async () => {
    const limited = await startWorld({ requestsPerSecond: 5, onboardingsPerMinute: 60 });
    try {
      const [one, other] = [
        await Walker.onboard(limited.recorder.url),
        await Walker.onboard(limited.recorder.url),
      ];
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => one.call("none", { method: "GET", target: "/x" })),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).to.be.greaterThan(20);
      expect(refused[0]!.headers).to.have.property("retry-after");
      expect(JSON.parse(refused[0]!.body)).to.include({ code: "too_many_requests" });
      expect((await other.call("none", { method: "GET", target: "/x" })).status).to.equal(200);
    } finally {
      await limited.close();
    }
  });

  it("tells whether it lives and whether it is ready", async () => {
    const get = (target: string) => send(world.recorder.url, { method: "GET", target });
    expect((await get("/livez")).status).to.equal(200);
    expect((await get("/readyz")).status).to.equal(200);
    await world.upstream.close();
    expect((await get("/livez")).status).to.equal(200);
    const answer = await get("/readyz");
    expect(answer.status).to.equal(503);
    expect(JSON.parse(answer.body)).to.include({ code: "not_ready" });
  });

  it("answers what it does not know as problems", async () => {
    const cases: [string, string, number, string, unknown?][] = [
      ["GET", "/missions/none", 404, "not_found"],
      ["POST", "/jobs/none/start", 404, "not_found", {}],
      ["POST", "/jobs/tour/start", 404, "not_found", { offer_id: "none" }],
      ["POST", "/jobs/tour/start", 400, "invalid", { agent_nonce: "0xAB" }],
      ["POST", "/jobs/tour/start", 400, "invalid", []],
      ["POST", "/missions", 400, "invalid", {}],
      ["POST", "/onboard", 400, "invalid", 1],
      ["DELETE", "/board", 404, "not_found"],
    ];
    for (const [method, route, status, code, body] of cases) {
      const answer = await walker.api(method, route, body);
      expect(answer.body, `${method} ${route}`).to.include({ status, code });
      expect(answer.body["hint"]).to.match(/\.$/);
      expect(answer.status).to.equal(status);
    }
    const anonymous = await send(world.recorder.url, { method: "POST", target: "/api/v1/jobs/tour/start" });
    expect(anonymous.status).to.equal(401);
    const large = await walker.api("POST", "/missions", { agreement: "x".repeat(300_000) });
    expect(large).to.include({ status: 413 });
  });

  it("shows its board, all of it or one network's", async () => {
    const { body } = await walker.api("GET", "/board?network=testnet");
    const jobs = body["jobs"] as { job_id: string; sequence_hash: string; steps: unknown[] }[];
    expect(jobs.map(({ job_id }) => job_id)).to.deep.equal(["tour"]);
    expect(jobs[0]!.steps).to.have.length(5);
    expect(jobs[0]!.sequence_hash).to.match(/^0x[0-9a-f]{64}$/);
    expect((await walker.api("GET", "/board")).body["jobs"]).to.have.length(3);
    expect(reasonOn(await walker.call("x", { method: "GET", target: "/api/v1/boards" }))).to.equal(
      "unknown_mission",
    );
  });
});
