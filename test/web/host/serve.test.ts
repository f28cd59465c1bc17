import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { PROFILE_SCHEMA, parseNetworks, parseProfile } from "@assay/protocol";
import { servePage, type ServedPage } from "@assay/web";

const PROFILE = parseProfile(
  JSON.stringify({
    schema: PROFILE_SCHEMA,
    name: "somewhere",
    evm: {
      rpcUrl: "http://127.0.0.1:8545",
      chainId: 31337,
      escrow: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    },
  }),
);

describe("the page's server", () => {
  let folder: string;
  let served: ServedPage;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-page-"));
    await mkdir(join(folder, "page", "assets"), { recursive: true });
    await writeFile(join(folder, "secret.txt"), "secret");
    await writeFile(join(folder, "page", "index.html"), "<!doctype html>");
    await writeFile(join(folder, "page", "assets", "main-1.js"), "1;");
    served = await servePage({ networks: [PROFILE], folder: join(folder, "page") });
  });
  after(async () => {
    await served.stop();
    await rm(folder, { recursive: true });
  });

  for (const path of ["/", "/agreement/0x12", "/party/0x12?network=base", "/index.html", "/no/such/place"]) {
    it(`answers ${path} with the document, which is asked for anew each time`, async () => {
      const response = await fetch(`${served.url}${path}`);
      expect(response.status).to.equal(200);
      expect(await response.text()).to.equal("<!doctype html>");
      expect(response.headers.get("cache-control")).to.equal("no-cache");
      expect(response.headers.get("content-type")).to.equal("text/html; charset=utf-8");
    });
  }

  it("lets assets be kept for ever: their names change with them", async () => {
    const response = await fetch(`${served.url}/assets/main-1.js`);
    expect(response.headers.get("cache-control")).to.include("immutable");
    expect(response.headers.get("content-type")).to.include("javascript");
  });

  it("has no document in place of a file that is missing", async () => {
    expect((await fetch(`${served.url}/assets/main-2.js`)).status).to.equal(404);
  });

  it("tells the networks", async () => {
    const response = await fetch(`${served.url}/assay.json`);
    expect(parseNetworks(await response.text())).to.deep.equal([PROFILE]);
  });

  it("sends its policy with every answer, errors included", async () => {
    for (const path of ["/", "/assay.json", "/assets/main-2.js"]) {
      const { headers } = await fetch(`${served.url}${path}`);
      expect(headers.get("content-security-policy")).to.include("connect-src 'self' http://127.0.0.1:8545;");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("referrer-policy")).to.equal("no-referrer");
    }
  });

  for (const path of [
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%00",
  ]) {
    it(`hands out nothing outside its folder: ${path}`, async () => {
      expect(await raw(served.url, path)).not.to.include("secret");
    });
  }

  it("takes nothing", async () => {
    expect((await fetch(served.url, { method: "POST", body: "x" })).status).to.equal(405);
  });
});

/** The body of an answer to a path exactly as written; fetch would tidy it. */
function raw(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve(body));
    })
      .on("error", reject)
      .end();
  });
}
