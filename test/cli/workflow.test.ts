import { expect } from "chai";
import { Contract } from "ethers";
import type { Role } from "@assay/protocol";
import { startJointMarket, type JointMarket } from "./support/joint-market.ts";
import type { Market } from "./support/market.ts";

describe("assay workflow", function () {
  this.timeout(60_000);
  let joint: JointMarket;
  let market: Market;
  before(async () => {
    joint = await startJointMarket();
    ({ market } = joint);
  });
  after(() => joint.end());

  interface Told {
    readonly state: string;
    readonly consented: Record<Role, boolean>;
    readonly digest: string;
    readonly error?: { readonly reason: string };
  }
  const json = async (command: string, file: string, wallet: string, ...args: string[]) => {
    const { code, out } = await joint.workflow(command, file, wallet, "--json", ...args);
    return { code, told: JSON.parse(out) as Told };
  };
  const shown = async (file: string): Promise<Told> =>
    JSON.parse((await market.assay("workflow", "show", file, "--json")).out) as Told;
  /** What the escrow holds. */
  const held = (): Promise<bigint> =>
    new Contract(
      market.token.address,
      ["function balanceOf(address) view returns (uint256)"],
      market.provider,
    ).getFunction("balanceOf")(market.contracts.escrow) as Promise<bigint>;
  const fund = (file: string, ...args: string[]) =>
    market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes", ...args);

  it("is created by its creator and accepted by each agent, and only then is anything funded", async () => {
    const { A, B } = await joint.drawUp();
    const before = await held();
    const refused = async (file: string, state: string): Promise<void> => {
      const { code, err } = await fund(file);
      expect([code, await held()]).to.deep.equal([4, before]);
      expect(err).to.include(`is ${state} on localnet, not ACCEPTED`);
    };
    await refused(A, "ABSENT");
    const unpaid = await fund(A, "--typed-data");
    expect([unpaid.code, unpaid.out]).to.deep.equal([4, ""]);
    const created = await json("create", A, "buyer");
    expect(created.told).to.deep.include({
      state: "PENDING_ACCEPTANCE",
      consented: { A: false, B: false },
    });
    await refused(A, "PENDING_ACCEPTANCE");
    // Either side's file names the same workflow.
    expect((await json("accept", B, "seller")).told.consented).to.deep.equal({ A: true, B: false });
    await refused(B, "PENDING_ACCEPTANCE");
    expect((await json("accept", A, "relayer")).told).to.include({ state: "ACCEPTED" });
    expect(await shown(B)).to.deep.include({ state: "ACCEPTED", digest: created.told.digest });
    for (const file of [A, B]) expect((await fund(file)).code).to.equal(0);
  });

  it("sends nothing a second time", async () => {
    const { A } = await joint.agreed();
    const count = async (index: number): Promise<string> =>
      (await joint.rpc("eth_getTransactionCount", [market.account(index).address, "latest"])) as string;
    const sent = [await count(1), await count(2)];
    for (const [command, wallet, said] of [
      ["create", "buyer", "The workflow is there already. Nothing was sent."],
      ["accept", "seller", "Agent A has consented already. Nothing was sent."],
    ] as const) {
      const { code, err } = await joint.workflow(command, A, wallet);
      expect(code, err).to.equal(0);
      expect(err).to.include(said);
    }
    expect([await count(1), await count(2)]).to.deep.equal(sent);
  });

  it("takes an agent's consent that was signed elsewhere, whoever sends it", async () => {
    const { A } = await joint.drawUp();
    await joint.workflow("create", A, "buyer");
    const { out } = await market.assay("workflow", "accept", A, "--typed-data");
    const { domain, types, message } = JSON.parse(out) as {
      domain: object;
      types: Record<string, never>;
      message: object;
    };
    const { EIP712Domain: _domain, ...own } = types;
    const signature = await market.account(3).signTypedData(domain, own, message as never);
    const { told } = await json("accept", A, "poor", "--signature", signature);
    expect(told.consented).to.deep.equal({ A: false, B: true });
  });

  it("refuses who has no part in it, and what comes too early", async () => {
    const { A } = await joint.drawUp();
    const foreign = await market.account(7).signMessage("no");
    const cases: [command: string, wallet: string, args: string[], reason: string][] = [
      ["create", "seller", [], "sender_unexpected"],
      ["accept", "seller", [], "workflow_not_pending"],
      ["accept", "buyer", [], "agent_unexpected"],
      ["accept", "seller", ["--signature", foreign], "agent_unexpected"],
    ];
    for (const [command, wallet, args, reason] of cases) {
      const { code, told } = await json(command, A, wallet, ...args);
      expect([code, told.error?.reason], command).to.deep.equal([4, reason]);
    }
    expect((await shown(A)).state).to.equal("ABSENT");
  });

  it("says what is pending when it is not final in time", async () => {
    const { A } = await joint.drawUp();
    await joint.rpc("localnet_setManualFinality", [true]);
    const { code, err } = await joint.workflow("create", A, "buyer", "--wait", "1s");
    await joint.rpc("localnet_setManualFinality", [false]);
    expect(code).to.equal(5);
    expect(err).to.include("Run the same command again");
    expect((await joint.workflow("create", A, "buyer")).code).to.equal(0);
  });

  it("does not fund while GenLayer can't be asked, or has other code there", async () => {
    const { A } = await joint.agreed();
    const before = await held();
    const profile = async (name: string, changes: object): Promise<string> =>
      joint.written(name, JSON.stringify({ ...market.profile, ...changes }));
    const unreachable = await fund(
      A,
      "--network",
      await profile("unreachable.json", { genLayerRpcUrl: "http://127.0.0.1:1" }),
    );
    expect([unreachable.code, await held()]).to.deep.equal([3, before]);
    const other = await joint.drawUp({
      "--adjudication": await joint.written(
        "other.json",
        JSON.stringify({
          ...market.profile.adjudication,
          ...market.profile.responsibility,
          codeHash: `0x${"e7".repeat(32)}`,
        }),
      ),
    });
    const { code, err } = await fund(other.A);
    expect(code).to.equal(4);
    expect(err).to.include("the agreement pins 0xe7e7");
    expect(await held()).to.equal(before);
  });

  it("knows no workflow of an agreement with one seller", async () => {
    const { file } = await market.drawUp();
    const { code, err } = await market.assay("workflow", "show", file);
    expect(code).to.equal(2);
    expect(err).to.include("no workflow decides this agreement");
  });
});
