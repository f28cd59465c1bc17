import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Contract } from "ethers";
import {
  agreementEscrowAbi,
  buildVerdictRecord,
  parseAgreement,
  verdictOf,
  verdictTypedData,
  type Address,
  type Hex,
  type VerdictRecord,
} from "@assay/protocol";
import { readDeal } from "../../cli/src/deal/deal-file.ts";
import { startMarket, type Market } from "./support/market.ts";
import { serve, type Served } from "../evidence/support/serve.ts";

describe("how agreements end by the command line", function () {
  this.timeout(60_000);
  let market: Market;
  const servers: Served[] = [];
  before(async () => {
    market = await startMarket();
    const work = join(market.folder, "work");
    await mkdir(work);
    await writeFile(join(work, "report.md"), "# Report\n");
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await market.end();
  });

  const statusOf = async (agreementId: string): Promise<number> => {
    const escrow = new Contract(market.contracts.escrow, agreementEscrowAbi, market.provider);
    const [status] = (await escrow.getFunction("stateOf")(agreementId)) as [bigint];
    return Number(status);
  };
  const submitted = async (): Promise<{ file: string; agreementId: string; submissionHash: Hex }> => {
    const deal = await market.funded();
    const { code, out, err } = await market.assay(
      ...["work", "submit", deal.file, join(market.folder, "work"), "--wallet", "seller", "--json"],
    );
    if (code !== 0) throw new Error(err);
    return { ...deal, submissionHash: (JSON.parse(out) as { submissionHash: Hex }).submissionHash };
  };

  describe("settle", () => {
    it("divides the reward once both sides have signed, whoever sends it", async () => {
      const { agreementId } = await market.funded();
      const file = join(market.folder, "settlement.json");
      const propose = await market.assay(
        ...["settle", "propose", agreementId, "--seller-gets", "10", "--wallet", "buyer", "--out", file],
      );
      expect(propose.out).to.include("The seller gets 10 USDC, the buyer 15 USDC.");
      const early = await market.assay("settle", "send", file, "--wallet", "relayer", "--yes");
      expect([early.code, early.err]).to.deep.equal([
        4,
        `assay: ${file} is signed by the buyer; the seller's signature is missing\nBoth sides have to sign it: \`assay settle sign\`.\n`,
      ]);
      const stranger = await market.assay("settle", "sign", file, "--wallet", "relayer");
      expect(stranger.code).to.equal(4);
      expect(stranger.err).to.include("neither the buyer nor the seller");
      expect((await market.assay("settle", "sign", file, "--wallet", "seller")).out).to.include("both sides");
      const sent = await market.assay("settle", "send", file, "--wallet", "relayer", "--yes", "--json");
      expect(sent.code, sent.err).to.equal(0);
      expect(JSON.parse(sent.out)).to.include({ action: "settle", agreementId, sellerAmount: "10000000" });
      expect(await statusOf(agreementId)).to.equal(6);
    });

    it("refuses amounts that were changed after a side had signed", async () => {
      const { agreementId } = await market.funded();
      const file = join(market.folder, "forged.json");
      await market.assay(
        ...["settle", "propose", agreementId, "--seller-gets", "1", "--wallet", "buyer", "--out", file],
      );
      await writeFile(file, (await readFile(file, "utf8")).replace('"1000000"', '"25000000"'));
      await market.assay("settle", "sign", file, "--wallet", "seller");
      const { code, err } = await market.assay("settle", "send", file, "--wallet", "seller", "--yes");
      expect(code).to.equal(4);
      expect(err).to.include(`the signature is not one of ${market.account(1).address}`);
      expect(await statusOf(agreementId)).to.equal(1);
    });
  });

  it("concede pays the other side, and a stranger can't", async () => {
    const { agreementId } = await market.funded();
    const stranger = await market.assay("concede", agreementId, "--wallet", "relayer", "--yes");
    expect(stranger.code).to.equal(4);
    expect(stranger.err).to.include("is neither the buyer nor the seller");
    const { code, out } = await market.assay("concede", agreementId, "--wallet", "buyer", "--yes");
    expect(code).to.equal(0);
    expect(out).to.include(`Conceded agreement ${agreementId}`);
    expect(await statusOf(agreementId)).to.equal(4);
  });

  it("withdraw fetches what the token had refused, to another account", async () => {
    const { agreementId } = await market.funded();
    const { address } = market.account(2);
    await market.token.blacklist(address);
    await market.assay("concede", agreementId, "--wallet", "buyer", "--yes");
    const doctor = await market.assay("doctor", "--wallet", "seller", "--json");
    expect(doctor.out).to.include("25 USDC wait to be fetched");
    const { code, out } = await market.assay(
      ...["withdraw", "--wallet", "seller", "--to", market.account(9).address, "--yes"],
    );
    expect(code).to.equal(0);
    expect(out).to.include(`Withdrew 25 USDC to ${market.account(9).address}`);
    const again = await market.assay("withdraw", "--wallet", "seller", "--yes");
    expect(again.err).to.include(`${address} has no credit to withdraw.`);
    await market.token.unBlacklist(address);
  });

  describe("claim", () => {
    async function recordOf(
      file: string,
      submissionHash: Hex,
    ): Promise<{ record: VerdictRecord; adjudicateBy: number }> {
      const deal = await readDeal(file);
      const record = buildVerdictRecord({
        agreement: parseAgreement(deal.document),
        agreementId: deal.agreementId,
        submissionHash,
        chainId: deal.chainId,
        escrow: deal.escrow,
        finding: { kind: "withheld" },
      });
      return { record, adjudicateBy: deal.terms.adjudicateBy };
    }

    /** An operator's answer about a record, as its API publishes it. */
    async function published(
      record: VerdictRecord,
      adjudicateBy: number,
      signer = market.attester,
    ): Promise<string> {
      const verdict = verdictOf(record, adjudicateBy);
      const { domain, types, message } = verdictTypedData(
        verdict,
        market.evm.chainId,
        market.contracts.quorum,
      );
      return JSON.stringify({
        agreementId: record.agreementId,
        submissionHash: record.submissionHash,
        operator: signer.address,
        signature: await signer.signTypedData(domain, types, message),
        verdict,
        record,
        quorum: { members: [market.attester.address], threshold: 1 },
      });
    }

    async function operatorWith(answer: string): Promise<string> {
      const server = await serve((path) => (path.startsWith("/v1/attestations/") ? answer : null));
      servers.push(server);
      return server.url;
    }

    it("delivers what enough operators signed, verified here", async () => {
      const { file, agreementId, submissionHash } = await submitted();
      const { record, adjudicateBy } = await recordOf(file, submissionHash);
      const url = await operatorWith(await published(record, adjudicateBy));
      const { code, out, err } = await market.assay(
        ...["claim", agreementId, "--operator", url, "--wallet", "relayer", "--yes", "--json"],
      );
      expect(code, err).to.equal(0);
      expect(JSON.parse(out)).to.deep.include({ outcome: "WITHHELD", signers: [market.attester.address] });
      expect(await statusOf(agreementId)).to.equal(5);
      const again = await market.assay(
        "claim",
        agreementId,
        "--operator",
        url,
        "--wallet",
        "relayer",
        "--yes",
      );
      expect([again.code, again.out]).to.deep.equal([
        0,
        "The agreement has ended already (Refunded). Nothing was sent.\n",
      ]);
    });

    it("believes no operator: another signer, another record, another submission, other operators", async () => {
      const { file, agreementId, submissionHash } = await submitted();
      const { record, adjudicateBy } = await recordOf(file, submissionHash);
      const honest = JSON.parse(await published(record, adjudicateBy)) as Record<string, unknown>;
      const other = (await recordOf(file, `0x${"77".repeat(32)}`)).record;
      const lies: [string, object, string][] = [
        [
          "signed by somebody else",
          {
            ...honest,
            signature: (
              JSON.parse(await published(record, adjudicateBy, market.account(9))) as { signature: string }
            ).signature,
          },
          "the signature it published is not valid",
        ],
        [
          "about another submission",
          JSON.parse(await published(other, adjudicateBy)) as object,
          "the record is about another submission",
        ],
        [
          "a record that is not the certificate's",
          { ...honest, record: other },
          "the record is about another submission",
        ],
        [
          "a certificate that is not the record's",
          { ...honest, verdict: { ...(honest["verdict"] as object), outcome: 1 } },
          "the certificate is not what the record amounts to",
        ],
        [
          "of operators that nobody agreed on",
          { ...honest, quorum: { members: [market.account(9).address], threshold: 1 } },
          "its operators are not those of the agreement",
        ],
        ["in no known shape", { hello: "\u001B[31m" }, "in an unknown shape"],
      ];
      for (const [what, lie, expected] of lies) {
        const url = await operatorWith(JSON.stringify(lie));
        const { code, err } = await market.assay(
          ...["claim", agreementId, "--operator", url, "--wallet", "relayer", "--yes"],
        );
        expect(code, what).to.equal(3);
        expect(err, what).to.include(expected);
      }
      expect(await statusOf(agreementId)).to.equal(3);
    });

    it("has nothing to deliver before a submission, or before anybody published", async () => {
      const { agreementId } = await market.funded();
      const early = await market.assay("claim", agreementId, "--wallet", "seller", "--yes");
      expect(early.code).to.equal(4);
      expect(early.err).to.include("nothing was submitted");
      const waiting = await market.assay(
        "claim",
        (await submitted()).agreementId,
        "--wallet",
        "seller",
        "--yes",
      );
      expect(waiting.code).to.equal(3);
      expect(waiting.err).to.include("no operator that was asked has published a verdict");
    });
  });

  it("status tells what the escrow says and who can do what next", async () => {
    const { agreementId, submissionHash } = await submitted();
    const { code, out } = await market.assay("status", agreementId);
    expect(code).to.equal(0);
    expect(out).to.include(`Agreement ${agreementId}: Submitted`).and.include(submissionHash);
    expect(out).to.match(/The operators have until .* to deliver a verdict; `assay claim 0x/);
    const watched = await market.assay("status", agreementId, "--watch", "--timeout", "1s", "--json");
    expect(watched.code).to.equal(5);
    const [first] = watched.out.split("\n");
    expect(JSON.parse(first ?? "")).to.include({ status: "Submitted", over: false });
    const unknown = await market.assay("status", `0x${"12".repeat(32)}`);
    expect(unknown.code).to.equal(3);
    expect(unknown.err).to.include("knows no agreement");
  });

  it("reputation and hire are computed from the chain when there is no index", async () => {
    const seller: Address = market.account(2).address as Address;
    const found = await market.assay("reputation", seller, "--json");
    expect(JSON.parse(found.out)).to.include({ source: "chain", sourceReason: "graph_not_configured" });
    const { code, out } = await market.assay("hire", seller);
    expect(code).to.equal(1);
    expect(out)
      .to.match(/^(DECLINE|INSUFFICIENT_EVIDENCE): 0x/)
      .and.include("Demanded: 70%");
  });
});
