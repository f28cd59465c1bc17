import { createPublicKey, verify } from "node:crypto";
import { computeAddress } from "ethers";
import { expect } from "chai";
import {
  canonicalize,
  decodeLifecycleEvent,
  factsFromEvents,
  keccak256,
  reputationOf,
  utf8Encode,
  type LifecycleEvent,
} from "@assay/protocol";
import { framedLength, sharesOf } from "../../../oracle/src/answers/preview.ts";
import { ESCROW, QUORUM } from "../support/sim-evm.ts";
import { ADDRESSES, dealOf, put, submissionOf } from "../support/world.ts";
import { createApiWorld, type ApiWorld } from "./support/api-world.ts";

describe("reads of the API", () => {
  let api: ApiWorld;
  before(async () => {
    api = await createApiWorld();
  });
  after(() => api.world.end());

  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await (await fetch(`${api.url}${path}`)).json()) as Record<string, unknown>;

  describe("timeline", () => {
    it("shows every stage with its finality, from funding to settlement", async () => {
      const { entries } = await get(`/v1/agreements/${api.agreementId}/timeline`);
      const shown = (entries as { moment: string; finality: string; reached: boolean }[]).map(
        ({ moment, finality, reached }) => [moment, reached, finality],
      );
      expect(shown).to.deep.equal([
        ["funded", true, "final"],
        ["accepted", true, "final"],
        ["included", true, "final"],
        ["final", true, "final"],
        ["relayed", true, "included"],
        ["provisional", true, "provisional"],
        ["finalized", true, "final"],
        ["attested", true, "final"],
        ["settled", true, "final"],
      ]);
    });

    it("names the transaction and the block behind what is on a chain", async () => {
      const { entries } = await get(`/v1/agreements/${api.agreementId}/timeline`);
      const settled = (
        entries as { moment: string; transactionHash: string; block: { number: number } }[]
      ).find(({ moment }) => moment === "settled");
      expect(settled?.transactionHash).to.equal(api.world.evm.settlements[0]?.transactionHash);
      expect(settled?.block.number).to.be.greaterThan(0);
    });

    it("tells the parties' own endings apart", async () => {
      const terms = dealOf(api.world).terms;
      const id = api.world.evm.fund(terms);
      api.world.evm.mine();
      api.world.evm.close(id, "Conceded");
      api.world.evm.mine(4);
      await until(async () => (await get(`/v1/agreements/${id}/timeline`))["escrowStatus"] === "Released");
      const { entries } = await get(`/v1/agreements/${id}/timeline`);
      expect((entries as { moment: string }[]).map(({ moment }) => moment)).to.deep.equal([
        "funded",
        "accepted",
        "conceded",
      ]);
    });
  });

  describe("verdicts", () => {
    it("are the record whose hash is asked for, and never change", async () => {
      const response = await fetch(`${api.url}/v1/verdicts/${api.verdictHash}`);
      const { record } = (await response.json()) as { record: object };
      expect(keccak256(utf8Encode(canonicalize(record)))).to.equal(api.verdictHash);
      expect(response.headers.get("etag")).to.equal(`"${api.verdictHash}"`);
      expect(response.headers.get("cache-control")).to.include("immutable");
    });

    it("are not sent again to who has them", async () => {
      for (const tag of [`"${api.verdictHash}"`, `"other", W/"${api.verdictHash}"`, "*"]) {
        const response = await fetch(`${api.url}/v1/verdicts/${api.verdictHash}`, {
          headers: { "if-none-match": tag },
        });
        expect(response.status, tag).to.equal(304);
        expect(await response.text()).to.equal("");
      }
    });
  });

  describe("reputation", () => {
    it("is what the chain's own logs amount to, with the same arithmetic as the index", async () => {
      const { seller } = api.deal.terms;
      const answer = await get(`/v1/reputation/${seller}?adjudications=all`);
      const { blockNumber, blockHash } = answer["asOf"] as { blockNumber: number; blockHash: `0x${string}` };
      const events: LifecycleEvent[] = [];
      for (let number = 1; number <= blockNumber; number++) {
        const block = api.world.evm.blockAt(number);
        for (const { topics, data } of block.logs) {
          const log = { address: ESCROW, topics, data, timestamp: block.timestamp };
          const event = decodeLifecycleEvent(log, { escrow: ESCROW, quorum: QUORUM });
          if (event !== undefined) events.push(event);
        }
      }
      const expected = reputationOf({
        party: seller,
        asOf: { blockNumber, blockHash, timestamp: api.world.evm.blockAt(blockNumber).timestamp },
        agreements: factsFromEvents(events),
      });
      const { asSeller } = answer as { asSeller: Record<string, unknown> };
      expect(asSeller["counts"]).to.deep.equal(expected.asSeller.counts);
      expect(asSeller["completion"]).to.deep.equal(expected.asSeller.completion);
      expect(asSeller["fundedVolume"]).to.equal(expected.asSeller.fundedVolume.toString());
      expect(asSeller["counts"]).to.include({ passed: 1 });
    });

    it("is told by category on demand, as far as the agreements' documents are here", async () => {
      const seller = "0x3333333333333333333333333333333333333355";
      const fundOne = async (category: string | null, held: boolean) => {
        const { terms, agreementBytes } = dealOf(api.world, {
          terms: { seller },
          agreement: category === null ? { title: "Something" } : { category },
        });
        if (held) await put(api, agreementBytes);
        api.world.evm.fund(terms);
      };
      await fundOne("logo-design", true);
      await fundOne("logo-design", true);
      await fundOne("web-development", true);
      await fundOne(null, true);
      await fundOne("translation", false);
      api.world.evm.mine(4);
      type Roles = { asSeller: { counts: { funded: number } } };
      type Answer = Roles & {
        byCategory: { categories: (Roles & { category: string | null })[]; documentsMissing: number } | null;
      };
      const path = `/v1/reputation/${seller}`;
      await until(async () => ((await get(path)) as unknown as Answer).asSeller.counts.funded === 5);
      expect((await get(path))["byCategory"]).to.equal(null);
      const { byCategory } = (await get(`${path}?byCategory=true`)) as unknown as Answer;
      expect(byCategory?.categories.map((one) => [one.category, one.asSeller.counts.funded])).to.deep.equal([
        ["logo-design", 2],
        ["web-development", 1],
        [null, 1],
      ]);
      expect(byCategory?.documentsMissing).to.equal(1);
    });

    it("counts only what the operator's quorum judges, unless asked for all", async () => {
      const stranger = "0x3333333333333333333333333333333333333333";
      const { terms } = dealOf(api.world, {
        terms: { seller: stranger, adjudicator: "0x4444444444444444444444444444444444444444" },
      });
      api.world.evm.fund(terms);
      api.world.evm.mine(4);
      const funded = async (query: string) =>
        ((await get(`/v1/reputation/${stranger}${query}`))["asSeller"] as { counts: { funded: number } })
          .counts.funded;
      await until(async () => (await funded("?adjudications=all")) === 1);
      expect(await funded("")).to.equal(0);
    });

    it("is read in any letter case, and is empty for who has no history", async () => {
      const { seller } = api.deal.terms;
      expect((await get(`/v1/reputation/${seller.toLowerCase()}`))["party"]).to.equal(seller);
      const none = await get("/v1/reputation/0x9999999999999999999999999999999999999999");
      expect(none["asSeller"]).to.have.nested.property("completion.all.bps", null);
    });

    it("follows what becomes final", async () => {
      const { seller } = api.deal.terms;
      const funded = async () =>
        ((await get(`/v1/reputation/${seller}`))["asSeller"] as { counts: { funded: number } }).counts.funded;
      const before = await funded();
      api.world.evm.fund(dealOf(api.world).terms);
      api.world.evm.mine(4);
      await until(async () => (await funded()) === before + 1);
    });
  });

  describe("previews", () => {
    const preview = async (request: object) => {
      const response = await fetch(`${api.url}/v1/preview`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      expect(response.status).to.equal(200);
      return (await response.json()) as Record<string, unknown>;
    };
    const draft = (text: string) =>
      JSON.parse(new TextDecoder().decode(submissionOf(api.agreementId, text).bytes)) as Record<
        string,
        unknown
      >;

    it("tell what checks decide, and what the models would be asked", async () => {
      const { agreement } = api.deal;
      const answer = await preview({ agreement, submission: draft("Water is wet [1].") });
      expect(answer["checks"]).to.deep.equal([
        { id: "REQ-1", check: "file_exists", decidedBy: "code", passed: true, detail: "the file is there" },
      ]);
      expect(answer).to.deep.include({ outlook: "needs_judgement", warnings: [] });
      const { requirements, called } = answer["model"] as { requirements: unknown; called: boolean };
      expect(requirements).to.deep.equal([{ id: "REQ-2", text: "Every claim names a source" }]);
      expect(called).to.equal(true);
    });

    it("see a failed check coming, and that no model is asked then", async () => {
      const { agreement } = api.deal;
      const submission = { ...draft(""), files: { "other.md": "x" } };
      const answer = await preview({ agreement, submission });
      expect(answer).to.include({ outlook: "fails" });
      expect(answer["model"]).to.include({ called: false });
    });

    it("list what is wrong with a draft, with a way out", async () => {
      const answer = await preview({ agreement: { ...api.deal.agreement, requirements: [] } });
      const { valid, issues } = answer["agreement"] as {
        valid: boolean;
        issues: { path: string; hint: string }[];
      };
      expect(valid).to.equal(false);
      expect(issues[0]).to.include({ path: "requirements" });
      expect(issues[0]?.hint).to.be.a("string").and.not.equal("");
    });

    it("warn when a party may judge in its own case", async () => {
      const parties = { buyer: ADDRESSES.relayer, seller: api.deal.terms.seller };
      const { warnings } = await preview({ agreement: api.deal.agreement, parties });
      expect(warnings).to.have.length(1);
      expect((warnings as string[])[0]).to.include(ADDRESSES.relayer);
    });

    it("say how much of each text the models would see", async () => {
      const submission = { ...draft(""), files: { "a.md": "x".repeat(60_000), "b.md": "short" } };
      const { shows } = (await preview({ agreement: api.deal.agreement, submission }))["model"] as {
        shows: { name: string; cut: boolean; shownCharacters: number; framedCharacters: number }[];
      };
      expect(shows.map(({ name, cut }) => [name, cut])).to.deep.equal([
        ["a.md", true],
        ["b.md", false],
        ["", false],
      ]);
      const total = shows.reduce((sum, { shownCharacters }) => sum + shownCharacters, 0);
      expect(total).to.equal(48 * 1024);
    });

    it("measure texts as JSON in ASCII", () => {
      const ascii = (text: string) =>
        JSON.stringify(text).replace(
          /[^\x20-\x7e]/g,
          (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
      for (const text of ["", "plain", '"\\', "\n\t\b\f\r\v\0\x7f", "é ü", "😀", "\u2028"])
        expect(framedLength(text), text).to.equal(ascii(text).length);
    });

    it("share the room as the judge does: small texts whole, large ones alike", () => {
      expect(sharesOf([10, 1_000, 50], 100)).to.deep.equal([10, 45, 45]);
      expect(sharesOf([10, 20], 100)).to.deep.equal([10, 20]);
      expect(sharesOf([], 100)).to.deep.equal([]);
    });
  });

  describe("agent conventions", () => {
    it("sign the agent card so that the attester can be recovered from it", async () => {
      const { signatures, ...card } = await get("/.well-known/agent-card.json");
      const [jws] = signatures as { protected: string; signature: string }[];
      const header = JSON.parse(Buffer.from(jws!.protected, "base64url").toString()) as {
        alg: string;
        kid: string;
        jwk: { x: string; y: string };
      };
      const payload = Buffer.from(canonicalize(card as never)).toString("base64url");
      const isValid = verify(
        "sha256",
        Buffer.from(`${jws!.protected}.${payload}`),
        { key: createPublicKey({ key: header.jwk, format: "jwk" } as never), dsaEncoding: "ieee-p1363" },
        Buffer.from(jws!.signature, "base64url"),
      );
      expect(isValid).to.equal(true);
      const point = ["x", "y"].map((name) =>
        Buffer.from(header.jwk[name as "x" | "y"], "base64url").toString("hex"),
      );
      expect(computeAddress(`0x04${point.join("")}`)).to.equal(ADDRESSES.attester);
      expect(header).to.include({ alg: "ES256K", kid: `eip155:31337:${ADDRESSES.attester}` });
    });

    it("publish an ERC-8004 registration file that leads to the API and to MCP", async () => {
      const file = await get("/.well-known/agent-registration.json");
      expect(file).to.include({
        type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
        active: true,
      });
      const services = file["services"] as { name: string; endpoint: string }[];
      expect(services.map(({ name }) => name)).to.deep.equal(["web", "OpenAPI", "A2A", "MCP"]);
      for (const { name, endpoint } of services.filter((one) => one.name !== "MCP"))
        expect((await fetch(endpoint)).status, name).to.equal(200);
    });
  });

  it("lists every party once, with the way to its reputation", async () => {
    const { parties } = await get("/v1/parties?limit=200");
    const addresses = (parties as { address: string; reputation: string }[]).map(({ address }) => address);
    expect(addresses).to.include.members([api.deal.terms.buyer, api.deal.terms.seller]);
    expect(new Set(addresses).size).to.equal(addresses.length);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("it never came to hold");
}
