import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  committedRoot,
  executionTerminalTypedData,
  fiatTokenAbi,
  parseSubmission,
  sequenceHash,
  type Address,
  type Execution,
  type ExecutionReport,
  type Hex,
  type StepRecord,
  type Submission,
} from "@assay/protocol";
import { startRecorder } from "@assay/recorder";
import { expect } from "chai";
import { Contract, Wallet } from "ethers";
import { startWorld, type World } from "../recorder/support/world.ts";
import { startMarket, type Market } from "./support/market.ts";
import { assay, type Ran } from "./support/run.ts";

const ORDER = '{"item":"é"}';

describe("assay mission", function () {
  this.timeout(120_000);
  let market: Market;
  let world: World;
  let url: string;
  let walking: string[];
  let counter = 0;

  before(async () => {
    market = await startMarket();
    // At a port that it comes back to.
    const port = await freePort();
    world = await startWorld({ port, rpcUrls: { [market.evm.chainId]: market.evm.rpcUrl } });
    url = world.recorder.url;
    const order = join(market.folder, "order.json");
    await writeFile(order, ORDER);
    walking = [
      ...["--recorder", url, "--set", "name=ada", "--set", "slug=read-me"],
      ...["--call", "0=/api/v1/agents?limit=10", "--body", `3=${order}`],
      ...["--header", "3=Content-Type: application/json"],
    ];
  });
  after(async () => {
    await world.close();
    await market.end();
  });

  const fresh = (name: string): string => join(market.folder, `${counter++}-${name}.json`);
  const ok = ({ code, out, err }: Ran): string => {
    expect(code, err).to.equal(0);
    return out;
  };
  const balanceOf = (account: string): Promise<bigint> =>
    new Contract(market.token.address, fiatTokenAbi, market.provider).getFunction("balanceOf")(
      account,
    ) as Promise<bigint>;
  const read = ({ out }: Ran): unknown => JSON.parse(out);

  /** An agreement about the tour that a gate pays for, funded and accepted. */
  async function gated(...flags: string[]): Promise<{ file: string; agreementId: Hex }> {
    const file = fresh("deal");
    const drawn = await market.assay(
      ...["agreement", "new", "--wallet", "buyer", "--seller", "seller", "--reward", "0.01"],
      ...["--deliver-by", "1h", "--recorder", url, "--gate", "--out", file, "--json"],
      ...(flags.includes("--mission") ? flags : ["--job", "tour", ...flags]),
    );
    const { agreementId } = JSON.parse(ok(drawn)) as { agreementId: Hex };
    ok(await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes"));
    return { file, agreementId };
  }

  async function walk(deal: string, ...flags: string[]): Promise<{ file: string; ran: Ran }> {
    const file = fresh("walk");
    const ran = await market.assay(
      ...["mission", "run", deal, "--wallet", "seller", "--out", file, "--json"],
      ...walking,
      ...flags,
    );
    return { file, ran };
  }

  async function verify(...args: string[]): Promise<{ ran: Ran; report: ExecutionReport }> {
    const ran = await market.assay("mission", "verify", ...args, "--json");
    return { ran, report: ran.out === "" ? ({} as ExecutionReport) : (read(ran) as ExecutionReport) };
  }

  const failedIn = ({ steps }: ExecutionReport): string[] =>
    steps.filter(({ result }) => result === "FAIL").map(({ id }) => id);

  it("locks the reward, walks, submits the walk's end and is paid by the proof, without any judge", async () => {
    const { file: deal, agreementId } = await gated();
    const said = ok(await market.assay("agreement", "check", deal));
    expect(said)
      .to.include("the gate is the one of this network's profile")
      .and.include("GET /api/v1/agents/{name}");
    expect(said).to.include("0% of the reward");
    const { file: proof, ran } = await walk(deal, "--save", join(market.folder, "answers"));
    expect(JSON.parse(ok(ran))).to.include({ status: "completed", recorded: 5, agreementId });
    for (const step of [1, 2, 3, 4, 5]) expect(ran.err).to.include(`step ${step} of 5`);
    const answer = JSON.parse(await readFile(join(market.folder, "answers/3.body"), "utf8")) as {
      body: string;
    };
    expect(answer.body).to.equal(Buffer.from(ORDER).toString("latin1"));

    const seller = market.account(2).address;
    const before = await balanceOf(seller);
    ok(await market.assay("mission", "submit", deal, "--proof", proof, "--wallet", "seller"));
    const shown = ok(await market.assay("mission", "show", deal, "--recorder", url));
    expect(shown)
      .to.include("5 of 5 steps recorded")
      .and.include("0.01 USDC, claimable; the escrow holds it");
    // Anyone delivers it; here it is the relayer's wallet.
    const claimed = await market.assay(
      "claim",
      deal,
      "--proof",
      proof,
      "--wallet",
      "relayer",
      "--yes",
      "--json",
    );
    expect(JSON.parse(ok(claimed))).to.include({ agreementId, outcome: "PASS" });
    expect((await balanceOf(seller)) - before).to.equal(10_000n);
    expect(ok(await market.assay("mission", "show", deal, "--recorder", url))).to.include("paid");

    // By its id alone: the document from the operator, the proof from the calldata that released it.
    const { ran: verified, report } = await verify(agreementId, "--strict");
    ok(verified);
    expect(report).to.include({ result: "PASS", failed: 0, notChecked: 0 });
    expect(verified.out).to.include("calldata of 0x");
    // The whole agreement, from the terms to the payment, from the chain and the operator's document.
    await market.pass(3_600);
    await market.provider.send("anvil_mine", ["0x80"]);
    const audited = await market.assay("audit", agreementId, "--strict", "--json");
    expect(audited.code, audited.out).to.equal(0);
    expect(JSON.parse(audited.out)).to.include({
      result: "PASS",
      outcome: "PASS",
      ending: "Released",
      notChecked: 0,
    });
    const again = await market.assay("claim", deal, "--proof", proof, "--wallet", "relayer", "--yes");
    expect(ok(again)).to.include("ended already (Released)");
  });

  it("mixes both sides' nonces into a root that the agreement then takes over", async () => {
    const begun = read(
      await market.assay("mission", "run", "--job", "tour", "--recorder", url, "--start-only", "--json"),
    ) as { missionId: string; nonce: string; committedRoot: string };
    const { file: deal } = await gated("--mission", begun.missionId);
    const document = JSON.parse(await readFile(deal, "utf8")) as {
      agreement: { execution: { nonce: string } };
    };
    expect(document.agreement.execution.nonce).to.equal(begun.nonce);
    const { ran } = await walk(deal, "--mission", begun.missionId);
    expect(JSON.parse(ok(ran))).to.include({
      missionId: begun.missionId,
      committedRoot: begun.committedRoot,
    });
  });

  it("goes on where it was interrupted, also by the recorder's end, and walks nothing twice", async () => {
    const { file: deal } = await gated();
    const seen = world.upstream.seen.length;
    const { answer } = world.upstream;
    world.upstream.answer = (call, request, response) => {
      if (call.method === "POST") response.writeHead(409).end("not yet");
      else answer(call, request, response);
    };
    const { ran: stopped } = await walk(deal);
    world.upstream.answer = answer;
    expect(stopped.code).to.equal(4);
    expect(stopped.err)
      .to.include("step 3 was not recorded")
      .and.include("409 (status)")
      .and.include("not yet");
    const shown = ok(await market.assay("mission", "show", deal, "--recorder", url));
    expect(shown).to.include("3 of 5 steps recorded").and.include("Next: POST");
    await world.restart();
    const { file: proof, ran } = await walk(deal);
    ok(ran);
    expect(ran.err).to.include("Going on at step 3 of 5");
    expect(world.upstream.seen.length - seen).to.equal(6);
    const again = await market.assay(
      "mission",
      "run",
      deal,
      "--wallet",
      "seller",
      "--out",
      proof,
      ...walking,
    );
    expect(ok(again)).to.include("Walked 5 steps");
    expect(again.err).to.include("was walked already");
    expect(world.upstream.seen.length - seen).to.equal(6);
  });

  it("finds out a recorder whose stamp is of another call than the one that was made", async () => {
    const { file: deal } = await gated();
    const between = createServer((request, response) => {
      const { method, headers } = request;
      const isChanged = request.url === "/api/v1/agents/ada";
      const outgoing = forward(new URL(request.url ?? "", url), { method, headers }, (incoming) => {
        const { "content-length": _length, ...rest } = incoming.headers;
        response.writeHead(incoming.statusCode ?? 0, rest);
        if (isChanged) incoming.resume().on("end", () => response.end("what nobody served"));
        else incoming.pipe(response);
      });
      request.pipe(outgoing);
    });
    await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = between.address() as AddressInfo;
      const { ran } = await walk(deal, "--recorder", `http://127.0.0.1:${port}`);
      expect(ran.code).to.equal(4);
      expect(ran.err)
        .to.include("the recorder's stamp of step 1")
        .and.include("what was sent and received here gives");
    } finally {
      between.closeAllConnections();
      between.close();
    }
  });

  it("refuses what can't be walked before any call is made", async () => {
    const { file: deal } = await gated();
    const seen = world.upstream.seen.length;
    const bare = await market.assay("mission", "run", deal, "--recorder", url, "--wallet", "seller");
    expect(bare.code).to.equal(2);
    expect(bare.err).to.include("step 1, GET /api/v1/agents/{name}, leaves a segment open");
    const wrong = await walk(deal, "--call", "2=/elsewhere");
    expect(wrong.ran.code).to.equal(2);
    expect(wrong.ran.err).to.include("/elsewhere is no call of step 2");
    const own = await walk(deal, "--header", "X-API-Key: stolen");
    expect(own.ran.code).to.equal(2);
    expect(world.upstream.seen.length).to.equal(seen);
    const both = await market.assay("mission", "run", deal, "--job", "tour", "--recorder", url);
    expect(both.code).to.equal(2);
    expect((await market.assay("mission", "run", deal)).err).to.include("--recorder");
  });

  it("lets another wallet name who walks", async () => {
    const { file: deal } = await gated();
    const asked = await market.assay("mission", "run", deal, "--recorder", url, "--typed-data");
    const payload = JSON.parse(ok(asked)) as {
      domain: Record<string, string>;
      types: Record<string, { name: string; type: string }[]>;
      message: Record<string, string>;
    };
    const { WalkAuthorization = [] } = payload.types;
    const signature = await market
      .account(2)
      .signTypedData(payload.domain, { WalkAuthorization }, payload.message);
    const wrong = await market.assay(
      ...["mission", "run", deal, "--signature", `0x${"11".repeat(64)}1b`],
      ...walking,
    );
    expect(wrong.code).to.equal(4);
    const file = fresh("walk");
    ok(await market.assay("mission", "run", deal, "--signature", signature, "--out", file, ...walking));
  });

  it("refuses to walk under another recorder than the agreement's, or for another agent", async () => {
    const { file: deal } = await gated();
    const foreign = await startRecorder({ ...world.settings, port: 0, database: ":memory:" }, FOREIGN);
    try {
      const { ran } = await walk(deal, "--recorder", foreign.url);
      expect(ran.code).to.equal(4);
      expect(ran.err).to.include(`signs as ${FOREIGN.address}`);
    } finally {
      await foreign.close();
    }
    ok((await walk(deal)).ran);
    const elsewhere = await assay(
      [...["mission", "run", deal, "--wallet", "seller", "--network", market.profilePath], ...walking],
      { ASSAY_HOME: join(market.folder, "another-home") },
    );
    expect(elsewhere.code).to.equal(4);
  });

  describe("proofs that pay nothing", () => {
    let deal: string;
    let agreementId: Hex;
    let proof: Submission;
    let another: Submission;
    let foreign: Submission;

    before(async () => {
      ({ file: deal, agreementId } = await gated());
      const good = await walk(deal);
      ok(good.ran);
      proof = await submissionIn(good.file);
      const other = await gated();
      const walked = await walk(other.file);
      ok(walked.ran);
      another = await submissionIn(walked.file);
      foreign = {
        ...proof,
        execution: { ...proof.execution!, signature: await signedBy(FOREIGN, deal, proof) },
      };
      ok(await market.assay("mission", "submit", deal, "--proof", good.file, "--wallet", "seller"));
    });

    const FORGERIES: [name: string, forge: () => Submission, failed: string[]][] = [
      [
        "an edited answer",
        () => withRecords(proof, (records) => (records[2]!.responseHash = `0x${"99".repeat(32)}`)),
        ["executionTerminal", "executionSubmission", "executionSignature"],
      ],
      [
        "a walk without its last step",
        () => withRecords(proof, (records) => records.pop()),
        ["executionRecords", "executionSubmission"],
      ],
      [
        "two steps exchanged",
        () => withRecords(proof, (records) => ([records[0], records[1]] = [records[1]!, records[0]!])),
        ["executionRecords", "executionSubmission"],
      ],
      [
        "another agreement's walk",
        () => ({ ...another, agreementId }),
        ["executionTerminal", "executionSubmission", "executionSignature"],
      ],
      ["a foreign recorder's signature", () => foreign, ["executionSignature"]],
    ];
    for (const [name, forge, failed] of FORGERIES)
      it(`${name}: verification names it, and nothing is sent`, async () => {
        const file = fresh("forged");
        await writeFile(file, JSON.stringify(forge()));
        const { ran, report } = await verify(file, "--agreement", deal);
        expect(ran.code, ran.err).to.equal(1);
        expect(failedIn(report)).to.deep.equal(failed);
        const nonce = await market.provider.getTransactionCount(market.account(3).address);
        const claimed = await market.assay("claim", deal, "--proof", file, "--wallet", "relayer", "--yes");
        expect(claimed.code).to.equal(4);
        expect(claimed.err).to.include("the proof does not hold");
        expect(await market.provider.getTransactionCount(market.account(3).address)).to.equal(nonce);
      });

    it("the true one, for anybody, at the recorder too", async () => {
      const { ran, report } = await verify(agreementId, "--recorder", url, "--strict");
      expect(ran.code).to.equal(0);
      expect(report.calls.map(({ finding }) => finding.result)).to.deep.equal(Array(5).fill("PASS"));
      const claimed = await market.assay(
        "claim",
        agreementId,
        "--recorder",
        url,
        "--wallet",
        "relayer",
        "--yes",
      );
      ok(claimed);
    });
  });

  it("verifies a recorder's answer by itself, and says what it could not look at", async () => {
    const begun = fresh("mission");
    ok(await market.assay("mission", "run", "--job", "twice", "--recorder", url, "--out", begun));
    const alone = await assay(["mission", "verify", begun]);
    expect(alone.code).to.equal(0);
    expect(alone.out).to.include("NOT CHECKED").and.include("0 failed");
    expect((await assay(["mission", "verify", begun, "--strict"])).code).to.equal(1);
    const view = JSON.parse(await readFile(begun, "utf8")) as { attestations: { request_hash: string }[] };
    view.attestations[1]!.request_hash = `0x${"99".repeat(32)}`;
    await writeFile(begun, JSON.stringify(view));
    const forged = await assay(["mission", "verify", begun]);
    expect(forged.code).to.equal(1);
    expect(forged.out).to.match(/FAIL +GET \/status \[step 1\]\n +expected 0x[0-9a-f]{64}\n +actual +0x/);
    await writeFile(begun, "{}");
    expect((await assay(["mission", "verify", begun])).code).to.equal(2);
  });

  it("delivers a walk to a judge as part of a submission, where everybody finds it", async () => {
    const file = fresh("deal");
    const drawn = await market.assay(
      ...[
        "agreement",
        "new",
        "--wallet",
        "buyer",
        "--seller",
        "seller",
        "--reward",
        "1",
        "--deliver-by",
        "1h",
      ],
      ...["--recorder", url, "--job", "tour", "--out", file, "--json"],
    );
    const { agreementId } = JSON.parse(ok(drawn)) as { agreementId: Hex };
    ok(await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes"));
    const { file: notes, ran } = await walk(file);
    ok(ran);
    const folder = join(market.folder, "empty");
    await mkdir(folder, { recursive: true });
    const refused = await market.assay("mission", "submit", file, "--proof", notes, "--wallet", "seller");
    expect(refused.code).to.equal(2);
    expect(refused.err).to.include("decided by operators");
    const submitted = await market.assay(
      "work",
      "submit",
      file,
      folder,
      "--notes",
      notes,
      "--wallet",
      "seller",
    );
    ok(submitted);
    expect(submitted.err).to.include("5 steps replay to the terminal");
    const { ran: verified, report } = await verify(agreementId, "--strict");
    ok(verified);
    expect(report.steps.map((step) => step.id)).to.not.include("executionConfig");
    expect(verified.out).to.include('"place":"submission 0x');
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const FOREIGN = new Wallet(`0x${"f0".repeat(32)}`);

async function submissionIn(path: string): Promise<Submission> {
  return parseSubmission(await readFile(path));
}

function withRecords(submission: Submission, change: (records: StepRecord[]) => unknown): Submission {
  const forged = structuredClone(submission);
  change(forged.execution!.attestations);
  return forged;
}

/** The signature of somebody else than the recorder under the same end of the walk. */
async function signedBy(
  signer: Wallet,
  deal: string,
  { agreementId, execution }: Submission,
): Promise<string> {
  const { chainId, escrow, agreement } = JSON.parse(await readFile(deal, "utf8")) as {
    chainId: number;
    escrow: Address;
    agreement: { execution: Execution };
  };
  const { nonce, steps } = agreement.execution;
  const { domain, types, message } = executionTerminalTypedData({
    agreementId,
    committedRoot: committedRoot(nonce, sequenceHash(steps)),
    terminal: execution!.terminal,
    chainId,
    escrow,
  });
  return signer.signTypedData(domain, types, message);
}
