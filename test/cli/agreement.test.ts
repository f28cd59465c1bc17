import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Contract, Transaction } from "ethers";
import { run } from "@assay/cli";
import { fiatTokenAbi } from "@assay/protocol";
import { startMarket, type Market } from "./support/market.ts";

describe("assay agreement", function () {
  this.timeout(60_000);
  let market: Market;
  before(async () => {
    market = await startMarket();
  });
  after(() => market.end());

  const balanceOf = async (index: number): Promise<bigint> =>
    (await new Contract(market.token.address, fiatTokenAbi, market.provider).getFunction("balanceOf")(
      market.account(index).address,
    )) as bigint;
  const jsonOf = (text: string): unknown => JSON.parse(text);

  describe("new", () => {
    it("writes a file in which everything is recomputed when it is read, and refuses one that was changed", async () => {
      const { file } = await market.drawUp();
      const deal = jsonOf(await readFile(file, "utf8")) as { terms: { reward: string; salt: string } };
      expect(deal.terms.reward).to.equal("25000000");
      expect(BigInt(deal.terms.salt) < 2n ** 64n).to.equal(true);
      const changed = join(market.folder, "changed.json");
      await writeFile(changed, (await readFile(file, "utf8")).replace('"25000000"', '"26000000"'));
      const { code, err } = await market.assay("agreement", "check", changed);
      expect(code).to.equal(2);
      expect(err).to.match(
        /agreementId is 0x[0-9a-f]{64}, but what is in the file amounts to 0x[0-9a-f]{64}/,
      );
    });

    it("tells everything that is wrong at once, and writes nothing", async () => {
      const out = join(market.folder, "never.json");
      const { code, err } = await market.assay(
        ...["agreement", "new", "--wallet", "buyer", "--seller", "buyer", "--title", "T", "--task", "T"],
        ...["--require", "R: r", "--reward", "1", "--deliver-by", "5m", "--judge-by", "1m", "--out", out],
      );
      expect(code).to.equal(2);
      expect(err)
        .to.include("seller is the buyer")
        .and.include("deliverBy is 300 s after funding")
        .and.include("adjudicateBy is 60 s after deliverBy");
      const document = await market.assay(
        ...["agreement", "new", "--wallet", "buyer", "--seller", "seller", "--title", "", "--task", "T"],
        ...["--require", "R: r", "--check", 'R={"type":"nothing"}', "--reward", "1", "--deliver-by", "1h"],
      );
      expect(document.err).to.include("title has 0 bytes").and.include("unknown check type");
      const decimals = await market.assay(
        ...["agreement", "new", "--wallet", "buyer", "--seller", "seller", "--title", "T", "--task", "T"],
        ...["--require", "R: r", "--reward", "1.0000001", "--deliver-by", "1h"],
      );
      expect(decimals.err).to.include("the reward 1.0000001 has more than 6 decimals");
      expect(await readFile(out).catch(() => null)).to.equal(null);
    });

    it("never replaces a file", async () => {
      const { file } = await market.drawUp();
      const { code, err } = await market.assay(
        ...["agreement", "new", "--wallet", "buyer", "--seller", "seller", "--title", "T", "--task", "T"],
        ...["--require", "R: r", "--reward", "1", "--deliver-by", "1h", "--out", file],
      );
      expect(code).to.equal(2);
      expect(err).to.include(`${file} exists already`);
    });

    it("asks for what no flag says, when somebody is there", async () => {
      const answers = ["Logo", "Draw it.", "SVG: as SVG", "", market.account(2).address, "3.5", "2d"];
      const questions: string[] = [];
      let out = "";
      const file = join(market.folder, "asked.json");
      const code = await run(
        ["agreement", "new", "--wallet", "buyer", "--out", file, "--json", "--network", market.profilePath],
        {
          env: market.env,
          out: (text) => (out += text),
          diagnose: () => undefined,
          terminal: {
            ask: (question) => {
              questions.push(question);
              return Promise.resolve(answers.shift() ?? "");
            },
            askSecret: () => Promise.reject(new Error("nothing secret is asked")),
          },
        },
      );
      expect(code).to.equal(0);
      expect(questions).to.have.length(7);
      const { terms } = jsonOf(out) as { terms: { reward: string; seller: string } };
      expect(terms).to.include({ reward: "3500000", seller: market.account(2).address });
    });

    it("goes on only with a yes", async () => {
      const { file } = await market.drawUp();
      for (const [answer, expected] of [
        ["n", 4],
        ["", 4],
        ["y", 0],
      ] as const) {
        const code = await run(
          ["agreement", "fund", file, "--wallet", "buyer", "--network", market.profilePath],
          {
            env: market.env,
            out: () => undefined,
            diagnose: () => undefined,
            terminal: { ask: () => Promise.resolve(answer), askSecret: () => Promise.resolve("") },
          },
        );
        expect(code, answer).to.equal(expected);
      }
    });

    it("says which flags are missing when nobody can be asked", async () => {
      const { code, err } = await market.assay("agreement", "new", "--wallet", "buyer", "--reward", "1");
      expect(code).to.equal(2);
      expect(err).to.include("--seller, --deliver-by are missing");
    });
  });

  describe("check", () => {
    it("explains requirements and what decides them, with a stranger's text made harmless", async () => {
      const { file } = await market.drawUp(
        "--title",
        "Re\u001B[2Jport \u202Egnp.exe",
        "--require",
        "R2: good",
      );
      const { code, out } = await market.assay("agreement", "check", file);
      expect(code).to.equal(0);
      expect(out).to.include("Re\\u001b[2Jport \\u202egnp.exe");
      // eslint-disable-next-line no-control-regex
      expect(out).not.to.match(/[\u0000-\u0009\u000B-\u001F\u202E]/);
      expect(out).to.include('passes when there is a file at exactly "report.md"');
      expect(out).to.include("judged by the validators' models");
      expect(out).to.include("the operators are those of this network's profile");
    });

    it("finds that judge or operators are not those of the profile", async () => {
      const { file } = await market.drawUp();
      const other = join(market.folder, "other.json");
      const { adjudication, quorum } = market.profile;
      const strangers = {
        ...market.profile,
        adjudication: { ...adjudication, codeHash: `0x${"0".repeat(63)}1` },
        quorum: { ...quorum, members: [market.account(8).address] },
      };
      await writeFile(other, JSON.stringify(strangers));
      const { code, out } = await market.assay("agreement", "check", file, "--json", "--network", other);
      expect(code).to.equal(1);
      const { findings } = jsonOf(out) as { findings: { id: string; result: string; message: string }[] };
      expect(findings.map(({ id, result }) => `${id} ${result}`)).to.deep.equal([
        "terms ok",
        "reporters ok",
        "judge problem",
        "operators problem",
      ]);
      expect(findings[2]?.message).to.include("codeHash differ");
    });
  });

  describe("fund", () => {
    it("simulates, signs and sends nothing in a dry run", async () => {
      const { file, agreementId } = await market.drawUp();
      const before = await balanceOf(1);
      const nonce = await market.account(1).getNonce();
      const { code, out } = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--dry-run");
      expect(code).to.equal(0);
      expect(out).to.include(`Fund agreement ${agreementId}: it would succeed`);
      expect([await balanceOf(1), await market.account(1).getNonce()]).to.deep.equal([before, nonce]);
    });

    it("does not move money without a terminal or --yes", async () => {
      const { file } = await market.drawUp();
      const { code, err } = await market.assay("agreement", "fund", file, "--wallet", "buyer");
      expect(code).to.equal(2);
      expect(err).to.include("money moves, and nobody is here to be asked").and.include("--yes");
    });

    it("pays once: a second run says that it is done", async () => {
      const { file, agreementId } = await market.drawUp();
      const before = await balanceOf(1);
      const first = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes", "--json");
      expect(first.code).to.equal(0);
      expect(jsonOf(first.out)).to.include({
        action: "fund",
        agreementId,
        resumed: false,
        reward: "25000000",
      });
      const second = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes", "--json");
      expect(second.code).to.equal(0);
      expect(jsonOf(second.out)).to.include({ action: "fund", already: true });
      expect(before - (await balanceOf(1))).to.equal(25_000_000n);
    });

    it("says in amounts that the buyer has too little", async () => {
      const { file } = await market.drawUp("--buyer", "poor");
      const { code, err } = await market.assay("agreement", "fund", file, "--wallet", "poor", "--yes");
      expect(code).to.equal(4);
      expect(err).to.match(/holds 0 USDC, and the reward is 25 USDC\nSend 25 USDC more to it/);
    });

    it("says that the wallet is not the buyer's", async () => {
      const { file } = await market.drawUp();
      const { code, err } = await market.assay("agreement", "fund", file, "--wallet", "seller", "--yes");
      expect(code).to.equal(4);
      expect(err).to.include(`only ${market.account(1).address} can sign this`);
    });

    it("says that the node is another chain's", async () => {
      const { file } = await market.drawUp();
      const { code, err } = await market.assay(
        "agreement",
        "fund",
        file,
        "--wallet",
        "buyer",
        "--chain-id",
        "8453",
      );
      expect(code).to.equal(3);
      expect(err).to.match(/wrong network: http:\S+ is a node of chain 31337, not of chain 8453/);
    });

    it("takes the buyer's signature from another wallet, and lets anyone pay the gas", async () => {
      const { file } = await market.drawUp();
      const { out } = await market.assay("agreement", "fund", file, "--typed-data");
      const { domain, types, message } = jsonOf(out) as {
        domain: Record<string, string>;
        types: Record<string, { name: string; type: string }[]>;
        message: Record<string, string>;
      };
      const { EIP712Domain: _domain, ...own } = types;
      const signature = await market.account(1).signTypedData(domain, own, message);
      const wrong = await market.account(2).signTypedData(domain, own, message);
      const refused = await market.assay(
        ...["agreement", "fund", file, "--signature", wrong, "--wallet", "relayer", "--yes"],
      );
      expect(refused.code).to.equal(4);
      expect(refused.err).to.include(`the signature is not one of ${market.account(1).address}`);
      const sent = await market.assay(
        ...["agreement", "fund", file, "--signature", signature, "--wallet", "relayer", "--yes"],
      );
      expect(sent.code, sent.err).to.equal(0);
    });

    it("funds and accepts at once with the seller's consent", async () => {
      const { file } = await market.drawUp();
      const consent = await market.assay("agreement", "accept", file, "--wallet", "seller", "--sign-only");
      const { code, out } = await market.assay(
        ...[
          "agreement",
          "fund",
          file,
          "--wallet",
          "buyer",
          "--yes",
          "--seller-signature",
          consent.out.trim(),
        ],
      );
      expect(code).to.equal(0);
      expect(out).to.include("with 25 USDC, accepted");
      const cancel = await market.assay("agreement", "cancel", file, "--wallet", "buyer", "--yes");
      expect(cancel.code).to.equal(4);
      expect(cancel.err).to.include("refused. The agreement was accepted already.");
    });

    it("pays by a permit of exactly the reward, in one transaction of the buyer", async () => {
      const { file } = await market.drawUp();
      const before = await balanceOf(1);
      const args = ["agreement", "fund", file, "--method", "permit", "--yes"];
      const foreign = await market.assay(...args, "--wallet", "relayer");
      expect(foreign.code).to.equal(4);
      expect(foreign.err).to.include("only ").and.include("can sign this");
      const { code, err, out } = await market.assay(...args, "--wallet", "buyer");
      expect(code, err).to.equal(0);
      expect(out).to.include("with 25 USDC");
      expect(before - (await balanceOf(1))).to.equal(25_000_000n);
      const allowance = (await new Contract(market.token.address, fiatTokenAbi, market.provider).getFunction(
        "allowance",
      )(market.account(1).address, market.contracts.escrow)) as bigint;
      expect(allowance).to.equal(0n);
    });

    it("takes a permit that was signed elsewhere, and refuses the other payment's signature in its place", async () => {
      const { file } = await market.drawUp();
      const sign = async (...more: string[]): Promise<string> => {
        const { out } = await market.assay("agreement", "fund", file, "--typed-data", ...more);
        const { domain, types, message } = JSON.parse(out) as {
          domain: object;
          types: Record<string, never>;
          message: object;
        };
        const { EIP712Domain: _domain, ...own } = types;
        return market.account(1).signTypedData(domain, own, message);
      };
      const args = ["agreement", "fund", file, "--method", "permit", "--wallet", "buyer", "--yes"];
      const wrong = await market.assay(...args, "--signature", await sign());
      expect(wrong.code).to.equal(4);
      const right = await market.assay(...args, "--signature", await sign("--method", "permit"));
      expect(right.code, right.err).to.equal(0);
    });

    it("pays from an allowance of exactly the reward", async () => {
      const { file } = await market.drawUp();
      const { code, err } = await market.assay(
        ...["agreement", "fund", file, "--wallet", "buyer", "--yes", "--method", "approve"],
      );
      expect(code, err).to.equal(0);
      const allowance = (await new Contract(market.token.address, fiatTokenAbi, market.provider).getFunction(
        "allowance",
      )(market.account(1).address, market.contracts.escrow)) as bigint;
      expect(allowance).to.equal(0n);
    });

    it("explains an agreement whose deadline came too near", async () => {
      const { file } = await market.drawUp("--deliver-by", "11m");
      await market.pass(120);
      const { code, err } = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes");
      expect(code).to.equal(4);
      expect(err).to.match(/the escrow would not take these terms: deliverBy is \d+ s after funding/);
    });
  });

  it("accepts by a signature that somebody else sends", async () => {
    const { file, agreementId } = await market.funded();
    const consent = await market.assay("agreement", "accept", file, "--wallet", "seller", "--sign-only");
    const { code, out } = await market.assay(
      ...["agreement", "accept", agreementId, "--signature", consent.out.trim(), "--wallet", "relayer"],
    );
    expect(code).to.equal(0);
    expect(out).to.include(`Accepted agreement ${agreementId}`);
    const again = await market.assay("agreement", "accept", agreementId, "--wallet", "seller");
    expect([again.code, again.out]).to.deep.equal([
      0,
      "The agreement is accepted already. Nothing was sent.\n",
    ]);
  });

  it("prints a transaction for another wallet, and sends back only exactly that one", async () => {
    const { agreementId } = await market.funded();
    const args = ["agreement", "cancel", agreementId];
    const { out } = await market.assay(...args, "--unsigned");
    const { chainId, to, data, from, gas } = jsonOf(out) as {
      chainId: number;
      to: string;
      data: string;
      from: string;
      gas: string;
    };
    expect(from).to.equal(market.account(1).address);
    const sign = async (changes: object): Promise<string> => {
      const request = { type: 2, chainId, to, data, value: 0n, gasLimit: BigInt(gas) * 2n, ...changes };
      const filled = await market.account(1).populateTransaction(request);
      const { from: _from, ...unsigned } = filled;
      return market.account(1).signTransaction(Transaction.from(unsigned));
    };
    const changed = await market.assay(...args, "--yes", "--signed-transaction", await sign({ value: 1n }));
    expect(changed.code).to.equal(2);
    expect(changed.err).to.include("not the one that --unsigned printed");
    const sent = await market.assay(...args, "--yes", "--signed-transaction", await sign({}));
    expect(sent.code, sent.err).to.equal(0);
    expect(sent.out).to.include(`Cancelled agreement ${agreementId}`);
  });

  it("expires an agreement after its deadline, not before", async () => {
    const { agreementId } = await market.funded("--deliver-by", "20m");
    const early = await market.assay("agreement", "expire", agreementId, "--wallet", "relayer", "--yes");
    expect(early.code).to.equal(4);
    expect(early.err).to.match(/The seller can still deliver until \d{4}-/);
    await market.pass(21 * 60);
    const late = await market.assay("agreement", "expire", agreementId, "--wallet", "relayer", "--yes");
    expect(late.code, late.err).to.equal(0);
  });
});
