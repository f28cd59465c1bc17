import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { PROFILE_SCHEMA, parseProfile } from "@assay/protocol";
import { connectOrigins, contentSecurityPolicy, securityHeaders } from "@assay/web";

const PROFILE = parseProfile(
  JSON.stringify({
    schema: PROFILE_SCHEMA,
    name: "somewhere",
    evm: {
      rpcUrl: "https://node.example/key/secret",
      chainId: 8453,
      escrow: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    },
    genLayerRpcUrl: "https://judge.example/api",
    operators: ["https://one.example", "https://one.example/second", "https://two.example:8443"],
    gateways: ["https://gateway.example/ipfs"],
    index: "https://index.example/subgraphs/id/1",
  }),
);

const directives = (policy: string): Map<string, string> =>
  new Map(
    policy.split("; ").map((one): [string, string] => {
      const [name = "", ...values] = one.split(" ");
      return [name, values.join(" ")];
    }),
  );

describe("the page's policy", () => {
  it("lets the page ask the places of its networks and nobody else, each once, without paths", () => {
    expect(connectOrigins([PROFILE])).to.deep.equal([
      "https://gateway.example",
      "https://index.example",
      "https://judge.example",
      "https://node.example",
      "https://one.example",
      "https://two.example:8443",
    ]);
  });

  it("allows no inline code, no code made from text, no frame, no form", () => {
    const policy = directives(contentSecurityPolicy([]));
    expect(Object.fromEntries(policy)).to.include({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "connect-src": "'self'",
      "frame-ancestors": "'none'",
      "form-action": "'none'",
      "base-uri": "'none'",
      "require-trusted-types-for": "'script'",
    });
    expect(contentSecurityPolicy([])).not.to.match(/unsafe/);
  });

  it("in the document itself is no laxer, but for whom it may connect to and what only headers can say", () => {
    const html = readFileSync(join(import.meta.dirname, "../../../web/index.html"), "utf8");
    const written = directives(
      /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1] ?? "",
    );
    const sent = directives(securityHeaders([PROFILE])["content-security-policy"] ?? "");
    for (const name of ["connect-src", "frame-ancestors"]) {
      written.delete(name);
      sent.delete(name);
    }
    expect(Object.fromEntries(written)).to.deep.equal(Object.fromEntries(sent));
  });
});
