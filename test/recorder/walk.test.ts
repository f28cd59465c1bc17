import {
  type Hex,
  missionNonce,
  nonceCommitment,
  requestHash,
  responseHash,
  sha256,
  verifyExecution,
} from "@assay/protocol";
import { expect } from "chai";
import { claimOf } from "./support/claim.ts";
import { send } from "./support/send.ts";
import { Walker, reasonOn, stampOn } from "./support/walker.ts";
import { TOUR, type World, startWorld } from "./support/world.ts";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("recorder: a walk", () => {
  let world: World;
  let walker: Walker;
  beforeEach(async () => {
    world = await startWorld();
    walker = await Walker.onboard(world.recorder.url);
  });
  afterEach(async () => {
    expect(world.reports).to.deep.equal([]);
    await world.close();
  });

  it("stamps every step once, in order, and proves it from first principles", async () => {
    const mission = await walker.start();
    expect(mission.status).to.equal("in_progress");
    expect(mission.current_chain_hash).to.equal(mission.committed_root);
    let chain = mission.committed_root;
    for (const [index, call] of TOUR.entries()) {
      expect((await walker.mission(mission.mission_id)).next_request).to.include({
        index,
        method: call.method,
      });
      const answer = await walker.call(mission.mission_id, call);
      const stamp = stampOn(answer);
      expect(stamp).to.include({
        step_index: index,
        mission_status: index === TOUR.length - 1 ? "completed" : "in_progress",
      });
      expect(stamp!.chain_hash).to.not.equal(chain);
      chain = stamp!.chain_hash;
      const { attestations } = await walker.mission(mission.mission_id);
      const body = "body" in call ? Buffer.from(call.body) : Buffer.alloc(0);
      expect(attestations[index]).to.include({
        request_hash: requestHash(call.method, call.target, sha256(body)),
        response_hash: responseHash(answer.status, sha256(latin1(answer.body))),
        chain_hash: chain,
      });
    }
    const walked = await walker.mission(mission.mission_id);
    expect(walked).to.include({ status: "completed", next_request: null, terminal: chain, signature: null });
    expect(verifyExecution(claimOf(walked))).to.include({ valid: true, terminal: chain });
    expect(world.upstream.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal(
      TOUR.map(({ method, target }) => `${method} ${target}`),
    );
  });

  it("mixes both sides' nonces, after its own was committed to", async () => {
    const { body: offer } = await walker.api("POST", "/jobs/tour/offer");
    const agentNonce: Hex = `0x${"a9".repeat(32)}`;
    const request = { offer_id: offer["offer_id"], agent_nonce: agentNonce };
    const mission = await walker.start("tour", request);
    const { recorder_nonce: recorderNonce } = mission.nonce_origin;
    expect(nonceCommitment(recorderNonce as Hex)).to.equal(offer["recorder_commitment"]);
    expect(missionNonce(recorderNonce as Hex, agentNonce)).to.equal(mission.nonce);
    expect(await walker.start("tour", request)).to.deep.equal(mission);
    const other = await walker.api("POST", "/jobs/tour/start", {
      ...request,
      agent_nonce: `0x${"00".repeat(32)}`,
    });
    expect(other).to.deep.include({ status: 409 });
  });

  it("gives no two missions one nonce", async () => {
    const missions = await Promise.all(Array.from({ length: 20 }, () => walker.start()));
    expect(new Set(missions.map(({ committed_root }) => committed_root)).size).to.equal(20);
  });

  it("stamps nothing out of order, and says why", async () => {
    const { mission_id: id, committed_root: root } = await walker.start();
    const reasons: [string, Parameters<Walker["call"]>[1]][] = [
      ["out_of_order", TOUR[1]],
      ["out_of_order", TOUR[4]],
      ["no_match", { method: "GET", target: "/api/v1/agents/" }],
      ["no_match", { method: "POST", target: "/api/v1/agents" }],
      ["no_match", { method: "GET", target: "/api/v1/agents/a/b" }],
      ["no_match", { method: "GET", target: "/api/v1/agents/.." }],
      ["no_match", { method: "GET", target: "/api/v1/../v1/agents" }],
      ["no_match", { method: "GET", target: "/api/v1/agents%2Fada" }],
      ["no_match", { method: "GET", target: "/content/.md" }],
    ];
    for (const [reason, call] of reasons) {
      const answer = await walker.call(id, call);
      expect(answer.status, call.target).to.equal(200);
      expect(stampOn(answer), call.target).to.equal(undefined);
      expect(reasonOn(answer), call.target).to.equal(reason);
    }
    expect(await walker.mission(id)).to.include({ current_chain_hash: root });
    expect(world.upstream.seen).to.have.length(reasons.length);
  });

  it("stamps for the agent who began, by its key, and for nobody else", async () => {
    const { mission_id: id, committed_root: root } = await walker.start();
    const stranger = await Walker.onboard(world.recorder.url);
    expect(reasonOn(await stranger.call(id, TOUR[0]))).to.equal("unknown_mission");
    expect(reasonOn(await walker.call("mission_none", TOUR[0]))).to.equal("unknown_mission");
    for (const key of ["a2a_00", "another API's key"]) {
      const answer = await walker.call(id, { ...TOUR[0], headers: { "x-api-key": key } });
      expect(reasonOn(answer)).to.equal("unauthenticated");
    }
    expect(await walker.mission(id)).to.include({ current_chain_hash: root });
    const without = await send(world.recorder.url, TOUR[0]);
    expect([stampOn(without), reasonOn(without)]).to.deep.equal([undefined, undefined]);
  });

  it("stamps nothing after the end, nor after its time", async () => {
    const { mission_id: id } = await walker.start("twice");
    const call = { method: "GET", target: "/status" };
    await walker.call(id, call);
    await walker.call(id, call);
    const { current_chain_hash: chain } = await walker.mission(id);
    const late = await walker.call(id, { method: "GET", target: "/status?other" });
    expect(reasonOn(late)).to.equal("completed");
    expect(await walker.mission(id)).to.include({ current_chain_hash: chain });
  });

  it("does not record what is no success, so that the step can be made again", async () => {
    const { mission_id: id } = await walker.start();
    const { answer } = world.upstream;
    for (const status of [500, 404, 302]) {
      world.upstream.answer = (_seen, _request, response) => response.writeHead(status).end("no");
      const failed = await walker.call(id, TOUR[0]);
      expect([failed.status, failed.body, reasonOn(failed)]).to.deep.equal([status, "no", "status"]);
    }
    world.upstream.answer = answer;
    expect(stampOn(await walker.call(id, TOUR[0]))).to.include({ step_index: 0 });
  });

  it("records a call without a body, and answers it without one", async () => {
    const { mission_id: id } = await walker.start("head");
    const answer = await walker.call(id, { method: "HEAD", target: "/status" });
    expect(stampOn(answer)).to.include({ mission_status: "completed" });
    expect(answer.body).to.equal("");
    const { attestations } = await walker.mission(id);
    expect(attestations[0]!.response_hash).to.equal(responseHash(200, sha256(new Uint8Array())));
  });

  it("goes on after a restart", async () => {
    const { mission_id: id } = await walker.start();
    await walker.call(id, TOUR[0]);
    const before = await walker.mission(id);
    await world.restart();
    walker = walker.at(world.recorder.url);
    expect(await walker.mission(id)).to.deep.equal(before);
    for (const call of TOUR.slice(1)) expect(stampOn(await walker.call(id, call))).to.not.equal(undefined);
    expect(verifyExecution(claimOf(await walker.mission(id))).valid).to.equal(true);
  });
});

describe("recorder: missions with little time", () => {
  it("expire", async () => {
    const world = await startWorld({ missionSeconds: 1, offerSeconds: 1 });
    try {
      const walker = await Walker.onboard(world.recorder.url);
      const { body: offer } = await walker.api("POST", "/jobs/tour/offer");
      const { mission_id: id } = await walker.start();
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      expect(reasonOn(await walker.call(id, TOUR[0]))).to.equal("expired");
      expect(await walker.mission(id)).to.include({ status: "expired", next_request: null });
      expect(await walker.api("POST", "/jobs/tour/start", { offer_id: offer["offer_id"] })).to.include({
        status: 410,
      });
    } finally {
      await world.close();
    }
  });
});
