import { join } from "node:path";
import { expect } from "chai";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startMarket, type Market } from "./support/market.ts";

const ASSAY = join(import.meta.dirname, "../../cli/src/bin/assay.ts");

describe("assay mcp", function () {
  this.timeout(60_000);
  let market: Market;
  before(async () => {
    market = await startMarket();
  });
  after(() => market.end());

  it("lets an agent audit an agreement from public data, through the SDK's own client", async () => {
    const { agreementId } = await market.funded();
    // A block is final once two more are on top of it.
    for (let blocks = 0; blocks < 2; blocks++) await market.pass(1);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [ASSAY, "mcp", "--network", market.profilePath],
        env: { PATH: process.env["PATH"] ?? "" },
      }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.include("audit_agreement");
      const { structuredContent } = await client.callTool({
        name: "audit_agreement",
        arguments: { agreementId },
      });
      expect(structuredContent).to.deep.include({ agreementId, ending: null, failed: 0 });
      const unknown = await client.callTool({
        name: "audit_agreement",
        arguments: { agreementId: `0x${"12".repeat(32)}` },
      });
      expect(unknown.isError).to.equal(true);
      expect(JSON.stringify(unknown.content)).to.include("knows no agreement");
    } finally {
      await client.close();
    }
  });

  it("needs an operator", async () => {
    const { code, err } = await market.assay(
      ...["mcp", "--rpc-url", market.evm.rpcUrl, "--escrow", market.contracts.escrow],
      ...["--operator", "", "--network", market.profilePath],
    );
    expect(code).to.equal(2);
    expect(err).to.include("no operator is known");
  });
});
