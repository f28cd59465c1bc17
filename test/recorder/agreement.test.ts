import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  agreementEscrowAbi,
  executionTerminalTypedData,
  runCheck,
  toAddress,
  verifyExecution,
} from "@assay/protocol";
import { expect } from "chai";
import { Interface, verifyTypedData } from "ethers";
import { claimOf } from "./support/claim.ts";
import { BUYER, CHAIN_ID, type Deal, ESCROW, SELLER, dealFor } from "./support/deal.ts";
import { type MissionView, Walker, reasonOn, stampOn } from "./support/walker.ts";
import { RECORDER, TOUR, type World, startWorld } from "./support/world.ts";

describe("recorder: missions of agreements", () => {
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

  async function walk(id: string): Promise<MissionView> {
    for (const call of TOUR) expect(stampOn(await walker.call(id, call))).to.not.equal(undefined);
    return walker.mission(id);
  }

  it("walks with the agreement's nonce, and signs the end so that judge and gate take it", async () => {
    const { agreementId, agreement, body } = await dealFor(walker);
    const begun = await walker.api("POST", "/missions", body);
    expect(begun.status).to.equal(201);
    const mission = begun.body as unknown as MissionView;
    expect(mission.nonce).to.equal(agreement.execution!.nonce);
    expect(mission.signature).to.equal(null);
    const walked = await walk(mission.mission_id);
    const claim = claimOf(walked);
    expect(verifyExecution(claim).valid).to.equal(true);
    const { domain, types, message } = executionTerminalTypedData({
      agreementId,
      committedRoot: claim.committedRoot!,
      terminal: claim.terminal,
      chainId: CHAIN_ID,
      escrow: ESCROW,
    });
    expect(verifyTypedData(domain, types, message, walked.signature!)).to.equal(RECORDER.address);
    const attestations = claim.records.map(({ index, requestHash, responseHash }) => ({
      index,
      requestHash,
      responseHash,
    }));
    const execution = { attestations, terminal: claim.terminal, signature: walked.signature! };
    expect(
      runCheck(
        { type: "execution_proof" },
        agreement,
        { files: {}, execution },
        { chainId: CHAIN_ID, escrow: ESCROW, agreementId },
      ),
    ).to.deep.equal({ passed: true, detail: "5 steps replay to the terminal" });
  });

  it("begins one mission for an agreement, however often it is asked", async () => {
    const { body } = await dealFor(walker);
    const [one, other] = await Promise.all([
      walker.api("POST", "/missions", body),
      walker.api("POST", "/missions", body),
    ]);
    expect(one.body["mission_id"]).to.equal(other.body["mission_id"]);
  });

  it("finds the mission of an agreement for anybody", async () => {
    const { agreementId, body } = await dealFor(walker);
    const place = `/missions?chain_id=${CHAIN_ID}&escrow=${ESCROW}&agreement_id=${agreementId}`;
    expect((await walker.api("GET", place)).body).to.deep.equal({ missions: [] });
    const { body: mission } = await walker.api("POST", "/missions", body);
    expect((await walker.api("GET", place)).body).to.deep.equal({ missions: [mission] });
    const { status, body: problem } = await walker.api("GET", "/missions?agreement_id=7");
    expect([status, problem["code"]]).to.deep.equal([400, "invalid"]);
  });

  it("does not mind that another agreement has the same nonce", async () => {
    const squatter = await Walker.onboard(world.recorder.url);
    const squatted = await dealFor(squatter, {
      terms: { seller: toAddress(BUYER.address), buyer: toAddress(SELLER.address) },
      signer: BUYER,
    });
    expect((await squatter.api("POST", "/missions", squatted.body)).status).to.equal(201);
    expect((await walker.api("POST", "/missions", (await dealFor(walker)).body)).status).to.equal(201);
  });

  it("binds a mission to the agreement that was made with its nonce, and signs when both are there", async () => {
    const mission = await walker.start();
    const { body } = await dealFor(walker, { nonce: mission.nonce });
    const walked = await walk(mission.mission_id);
    expect(walked.signature).to.equal(null);
    const bound = await walker.api("POST", `/missions/${mission.mission_id}/agreement`, body);
    expect(bound.status).to.equal(200);
    expect(bound.body["signature"]).to.match(/^0x[0-9a-f]{130}$/);
    expect(await walker.api("POST", `/missions/${mission.mission_id}/agreement`, body)).to.deep.equal(bound);
  });

  it("signs one walk for one agreement only", async () => {
    const mission = await walker.start();
    const path = `/missions/${mission.mission_id}/agreement`;
    const { nonce } = mission;
    expect((await walker.api("POST", path, (await dealFor(walker, { nonce })).body)).status).to.equal(200);
    const second = await dealFor(walker, { nonce, terms: { salt: 8n } });
    expect((await walker.api("POST", path, second.body)).body).to.include({ status: 409, code: "conflict" });
    const other = await dealFor(walker, { nonce: `0x${"72".repeat(32)}` });
    const unbound = await walker.start();
    expect(
      (await walker.api("POST", `/missions/${unbound.mission_id}/agreement`, other.body)).body,
    ).to.include({
      code: "conflict",
    });
  });

  it("begins nothing for whom the seller did not name, nor with documents that do not belong together", async () => {
    const stranger = await Walker.onboard(world.recorder.url);
    const refused: [string, string, Promise<Deal>][] = [
      ["the buyer's word", "forbidden", dealFor(walker, { signer: BUYER })],
      ["another agent's authorization", "forbidden", dealFor(walker, { agentId: stranger.agentId })],
      [
        "another escrow",
        "forbidden",
        dealFor(walker, { body: { escrow: toAddress(`0x${"e6".repeat(20)}`) } }),
      ],
      ["another chain", "forbidden", dealFor(walker, { body: { chain_id: 1 } })],
      ["another document", "invalid", dealFor(walker, { terms: { agreementHash: `0x${"00".repeat(32)}` } })],
      ["another recorder", "invalid", dealFor(walker, { recorder: BUYER.address })],
      [
        "a recorder who is the buyer",
        "invalid",
        dealFor(walker, { terms: { buyer: toAddress(RECORDER.address) } }),
      ],
      ["no signature", "invalid", dealFor(walker, { body: { seller_signature: "0x" } })],
      ["a document that is none", "invalid", dealFor(walker, { body: { agreement: "{}" } })],
      ["terms that are none", "invalid", dealFor(walker, { body: { terms: { reward: "1.5" } } })],
      ["a broken address", "invalid", dealFor(walker, { body: { escrow: "0x12" } })],
    ];
    for (const [name, code, deal] of refused) {
      const answer = await walker.api("POST", "/missions", (await deal).body);
      expect(answer.body["code"], name).to.equal(code);
    }
  });

  it("leaves another agent's mission alone", async () => {
    const mission = await walker.start();
    const stranger = await Walker.onboard(world.recorder.url);
    const { body } = await dealFor(stranger, { nonce: mission.nonce });
    expect((await stranger.api("POST", `/missions/${mission.mission_id}/agreement`, body)).status).to.equal(
      403,
    );
    const { body: begun } = await walker.api("POST", "/missions", (await dealFor(walker)).body);
    const again = await dealFor(stranger);
    expect((await stranger.api("POST", "/missions", again.body)).status).to.equal(403);
    expect(reasonOn(await stranger.call(begun["mission_id"] as string, TOUR[0]))).to.equal("unknown_mission");
  });

  it("tells what becomes of the reward, from the walk and from the chain", async () => {
    const escrow = new Interface(agreementEscrowAbi);
    let status = 1;
    const node = createServer((request, response) => {
      request.resume().on("end", () => {
        const result = escrow.encodeFunctionResult("stateOf", [status, `0x${"00".repeat(31)}`]);
        response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
      });
    });
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
    const rpcUrls = { [CHAIN_ID]: `http://127.0.0.1:${(node.address() as AddressInfo).port}` };
    await world.close();
    world = await startWorld({ rpcUrls });
    walker = await Walker.onboard(world.recorder.url);
    try {
      const mission = await walker.start();
      const reward = async () => (await walker.api("GET", `/missions/${mission.mission_id}/reward`)).body;
      expect(await reward()).to.include({ status: "unbound" });
      const { body } = await dealFor(walker, { nonce: mission.nonce });
      await walker.api("POST", `/missions/${mission.mission_id}/agreement`, body);
      expect(await reward()).to.include({
        status: "walking",
        reward: "10000",
        locked: true,
        on_chain: "funded",
      });
      await walk(mission.mission_id);
      expect(await reward()).to.include({ status: "claimable", locked: true });
      status = 4;
      expect(await reward()).to.include({ status: "paid", locked: false, on_chain: "released" });
      node.close();
      node.closeAllConnections();
      expect(await reward()).to.include({ status: "claimable", locked: null, on_chain: null });
    } finally {
      node.close();
    }
  });
});
