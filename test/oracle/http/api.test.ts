import { request } from "node:http";
import { expect } from "chai";
import { documentHash, utf8Encode } from "@assay/protocol";
import type { Operator } from "../../../oracle/src/index.ts";
import {
  createWorld,
  dealOf,
  deliver,
  put,
  submissionOf,
  until,
  ADDRESSES,
  type World,
} from "../support/world.ts";
import { hash } from "../support/states.ts";

interface Problem {
  readonly type: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint: string;
}

describe("HTTP API", () => {
  let world: World;
  let operator: Operator;
  before(async () => {
    world = await createWorld({ ASSAY_DOCUMENT_QUOTA_BYTES: "1048576" });
    operator = await world.start();
  });
  after(() => world.end());

  async function refused(body: Uint8Array | string, name?: string): Promise<Problem> {
    const bytes = typeof body === "string" ? utf8Encode(body) : body;
    const response = await fetch(`${operator.url}/v1/documents/${name ?? documentHash(bytes)}`, {
      method: "PUT",
      body: Buffer.from(bytes),
    });
    expect(response.headers.get("content-type")).to.equal("application/problem+json");
    const problem = (await response.json()) as Problem;
    expect(problem.status).to.equal(response.status);
    expect(problem.type).to.equal(`urn:assay:problem:${problem.code}`);
    expect(problem.hint).to.be.a("string").and.not.equal("");
    return problem;
  }

  it("listens on loopback unless told otherwise", () => {
    expect(new URL(operator.url).hostname).to.equal("127.0.0.1");
  });

  describe("documents", () => {
    it("are taken under their SHA-256 and given back byte for byte", async () => {
      const { agreementBytes } = dealOf(world);
      expect((await put(operator, agreementBytes)).status).to.equal(201);
      expect((await put(operator, agreementBytes)).status).to.equal(200);
      const response = await fetch(`${operator.url}/v1/documents/${documentHash(agreementBytes)}`);
      expect(new Uint8Array(await response.arrayBuffer())).to.deep.equal(new Uint8Array(agreementBytes));
      expect(response.headers.get("cache-control")).to.include("immutable");
    });

    it("are not sent again to who has them", async () => {
      const { agreementBytes } = dealOf(world);
      await put(operator, agreementBytes);
      const name = documentHash(agreementBytes);
      const response = await fetch(`${operator.url}/v1/documents/${name}`, {
        headers: { "if-none-match": `"${name}"` },
      });
      expect(response.status).to.equal(304);
    });

    it("are refused under another name", async () => {
      const { bytes } = submissionOf(hash(1));
      const problem = await refused(bytes, hash(0xee));
      expect(problem).to.include({ status: 422, code: "hash_mismatch" });
      expect(problem.detail).to.equal(`the bytes hash to ${documentHash(bytes)}, not to ${hash(0xee)}`);
    });

    it("are refused under a name that is no hash", async () => {
      expect(await refused("{}", "0x12")).to.include({ status: 400, code: "malformed_hash" });
    });

    it("are refused when a key stands in them twice", async () => {
      expect(await refused('{"schema":"assay/submission/1","schema":"assay/submission/1"}')).to.include({
        status: 422,
        code: "duplicate_key",
      });
    });

    it("are refused in any but the canonical form", async () => {
      const { bytes } = submissionOf(hash(1));
      expect(await refused(` ${new TextDecoder().decode(bytes)}`)).to.include({
        status: 422,
        code: "not_canonical",
      });
      expect(await refused(`${new TextDecoder().decode(bytes)}\n`)).to.include({
        status: 422,
        code: "not_canonical",
      });
    });

    it("are refused when they are no JSON, or no document of ours", async () => {
      expect(await refused("hello")).to.include({ status: 422, code: "syntax" });
      expect(await refused('{"schema":"assay/verdict/1"}')).to.include({
        status: 422,
        code: "unknown_schema",
      });
      expect(await refused('{"schema":"assay/submission/1"}')).to.include({ status: 422, code: "invalid" });
    });

    it("are refused when they are larger than any document may be", async () => {
      expect(await refused(new Uint8Array(600_000).fill(0x20))).to.include({
        status: 413,
        code: "too_large",
      });
    });

    it("are refused when an agreement is larger than an agreement may be", async () => {
      const { agreement } = dealOf(world);
      const fat = JSON.stringify({ ...agreement, task: "x".repeat(70_000) });
      expect(await refused(fat)).to.include({ status: 422 });
    });

    it("are not read further than any document goes, whatever their length says", async () => {
      const { hostname, port } = new URL(operator.url);
      const status = await new Promise<number>((resolve, reject) => {
        const upload = request(
          {
            hostname,
            port,
            method: "PUT",
            path: `/v1/documents/${hash(1)}`,
            headers: { "transfer-encoding": "chunked" },
          },
          (response) => {
            resolve(response.statusCode ?? 0);
            upload.destroy();
          },
        );
        upload.on("error", (error: NodeJS.ErrnoException) => {
          if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
        });
        const more = () => {
          while (!upload.destroyed && upload.write(Buffer.alloc(65_536, 0x20)));
          if (!upload.destroyed) upload.once("drain", more);
        };
        more();
      });
      expect(status).to.equal(413);
    });

    it("are refused when the store is full, but those it holds stay welcome", async () => {
      const bytes = (index: number) => submissionOf(hash(index), "x".repeat(400_000)).bytes;
      expect((await put(operator, bytes(1))).status).to.equal(201);
      expect((await put(operator, bytes(2))).status).to.equal(201);
      expect(await refused(bytes(3))).to.include({ status: 507, code: "quota_exceeded" });
      expect((await put(operator, bytes(2))).status).to.equal(200);
    });

    it("that are not held are not found", async () => {
      const response = await fetch(`${operator.url}/v1/documents/${hash(0xee)}`);
      expect(response.status).to.equal(404);
      expect(await response.json()).to.include({ code: "not_found" });
    });
  });

  describe("agreements", () => {
    it("are listed newest first, page by page", async () => {
      const ids = [];
      for (let index = 0; index < 3; index++) {
        ids.push(world.evm.fund(dealOf(world).terms));
        world.evm.mine();
      }
      const list = async (query: string) =>
        (await (await fetch(`${operator.url}/v1/agreements${query}`)).json()) as {
          agreements: { agreementId: string; state: string | null; escrowStatus: string }[];
          cursor: string | null;
        };
      await eventually(async () => (await list("")).agreements.length >= 3);
      const first = await list("?limit=2");
      expect(first.agreements.map(({ agreementId }) => agreementId)).to.deep.equal([ids[2], ids[1]]);
      expect(first.agreements[0]).to.include({ state: null, escrowStatus: "Accepted" });
      const second = await list(`?limit=2&cursor=${first.cursor ?? ""}`);
      expect(second.agreements[0]?.agreementId).to.equal(ids[0]);
    });

    it("are refused with a limit or a cursor that makes no sense", async () => {
      for (const query of ["limit=0", "limit=x", "limit=201", "cursor=-1", "status=Lost", "party=0x12"]) {
        const response = await fetch(`${operator.url}/v1/agreements?${query}`);
        expect(response.status, query).to.equal(400);
        const problem = (await response.json()) as Problem & { readonly issues: { readonly path: string }[] };
        expect(problem.code).to.equal("invalid_request");
        expect(problem.issues.map(({ path }) => path)).to.deep.equal([query.split("=")[0]]);
      }
    });

    it("that nobody funded are not found", async () => {
      expect((await fetch(`${operator.url}/v1/agreements/${hash(0xee)}`)).status).to.equal(404);
      expect((await fetch(`${operator.url}/v1/agreements/nonsense`)).status).to.equal(400);
    });
  });

  describe("attestations", () => {
    it("are published once they are signed, and never change", async () => {
      const { agreementId, submissionHash } = await deliver(world, operator);
      expect((await fetch(`${operator.url}/v1/attestations/${agreementId}`)).status).to.equal(404);
      const view = await until(world, operator, agreementId, ["SETTLED"]);
      const response = await fetch(`${operator.url}/v1/attestations/${agreementId}`);
      const attestation = (await response.json()) as Record<string, unknown>;
      expect(attestation).to.deep.include({ agreementId, submissionHash, operator: ADDRESSES.attester });
      expect(attestation["verdict"]).to.deep.include({ verdictHash: view.verdict?.verdictHash, outcome: 1 });
      expect(response.headers.get("cache-control")).to.include("immutable");
      expect(response.headers.get("etag")).to.equal(`"${String(attestation["digest"])}"`);
    });
  });

  it("tells who the operator is, and its document window", async () => {
    const operatorView = (await (await fetch(`${operator.url}/v1/operator`)).json()) as Record<
      string,
      unknown
    >;
    expect(operatorView).to.deep.include({ attester: ADDRESSES.attester, halted: null });
    expect(operatorView["documents"]).to.deep.include({ windowSeconds: null, largestBytes: 524_288 });
  });

  it("is alive while the event loop turns and the database takes writes", async () => {
    expect((await fetch(`${operator.url}/livez`)).status).to.equal(200);
  });

  it("is ready when every component is", async () => {
    await eventually(async () => (await fetch(`${operator.url}/readyz`)).status === 200);
    const body = (await (await fetch(`${operator.url}/readyz`)).json()) as {
      components: Record<string, { status: string }>;
    };
    expect(Object.keys(body.components)).to.include.members([
      "evm",
      "genlayer",
      "database",
      "signing",
      "clock",
      "balance",
      "quorum",
    ]);
  });

  it("may be read from any web page", async () => {
    const response = await fetch(`${operator.url}/v1/operator`, {
      headers: { origin: "https://page.example" },
    });
    expect(response.headers.get("access-control-allow-origin")).to.equal("*");
  });

  it("says what else there is when asked for nothing that exists", async () => {
    const response = await fetch(`${operator.url}/nothing`);
    expect(response.status).to.equal(404);
    expect(((await response.json()) as Problem).code).to.equal("not_found");
  });
});

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("it never came to hold");
}
