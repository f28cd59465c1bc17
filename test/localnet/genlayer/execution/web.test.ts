import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { httpFetcher, WebError, type WebFetcher } from "../../../../localnet/src/genlayer/execution/web.ts";

describe("httpFetcher", () => {
  let server: Server;
  let base: string;
  const routes: Record<string, RequestListener> = {
    "/ok": (request, response) => response.end(`accept ${String(request.headers["accept"])}`),
    "/missing": (_, response) => void response.writeHead(404).end("gone"),
    "/large": (_, response) => response.end("x".repeat(2000)),
    "/silent": () => undefined,
    "/hop": (_, response) => void response.writeHead(302, { location: "/ok" }).end(),
    "/loop": (_, response) => void response.writeHead(302, { location: "/loop" }).end(),
    "/away": (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  };
  before(async () => {
    server = createServer((request, response) => routes[request.url ?? ""]?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = httpFetcher({
    allowPrivateHosts: true,
    maxBytes: 1000,
    timeoutMilliseconds: 300,
    maxRedirects: 3,
  });
  const get = (url: string, fetcher: WebFetcher = open, signal = new AbortController().signal) =>
    fetcher.get({ url, headers: { accept: "text/plain" }, signal });
  async function refusal(asked: Promise<unknown>): Promise<string> {
    let error: unknown;
    await asked.catch((reason: unknown) => (error = reason));
    expect(error).to.be.instanceOf(WebError);
    return (error as WebError).code;
  }

  it("gives back status, headers and body", async () => {
    const response = await get(`${base}/ok`);
    expect([response.status, Buffer.from(response.body).toString()]).to.deep.equal([
      200,
      "accept text/plain",
    ]);
    expect((await get(`${base}/missing`)).status).to.equal(404);
  });

  it("follows redirects, a bounded number of them", async () => {
    expect((await get(`${base}/hop`)).status).to.equal(200);
    expect(await refusal(get(`${base}/loop`))).to.equal("TOO_MANY_REDIRECTS");
  });

  it("refuses to be redirected to another scheme", async () => {
    expect(await refusal(get(`${base}/away`))).to.equal("FORBIDDEN_URL");
  });

  it("refuses a body beyond its bound", async () => {
    expect(await refusal(get(`${base}/large`))).to.equal("TOO_LARGE");
  });

  it("gives up on silence, and when the run is stopped", async () => {
    expect(await refusal(get(`${base}/silent`))).to.equal("TIMEOUT");
    expect(await refusal(get(`${base}/silent`, open, AbortSignal.abort()))).to.equal("TIMEOUT");
  });

  for (const url of [
    "http://127.0.0.1/",
    "http://localhost/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fd00::1]/",
    "http://0.0.0.0/",
    "file:///etc/passwd",
    "ftp://example.org/",
    "nonsense",
  ]) {
    it(`does not reach ${url}`, async () => {
      expect(await refusal(get(url, httpFetcher({ timeoutMilliseconds: 1000 })))).to.equal("FORBIDDEN_URL");
    });
  }

  it("calls a closed port a failed load", async () => {
    expect(await refusal(get("http://127.0.0.1:1/"))).to.equal("LOAD_FAILED");
  });
});
