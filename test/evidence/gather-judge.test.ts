import { getBytes, toBeHex } from "ethers";
import { expect } from "chai";
import { abi } from "genlayer-js";
import {
  audit,
  toAddress,
  type Address,
  type AuditStep,
  type Evidence,
  type Hex,
  type JudgeEvidence,
} from "@assay/protocol";
import { readJudge } from "@assay/evidence";
import { settledCase } from "../protocol/audit/support/case.ts";
import { serve, type Served } from "./support/serve.ts";

const OTHER = toAddress(`0x${"4".repeat(40)}`);
const RIVAL: Hex = `0x${"73".repeat(32)}`;
const UNRELATED: Hex = `0x${"74".repeat(32)}`;

interface Rpc {
  method: string;
  params: unknown[];
}

/** A GenLayer network of the Studio kind that knows what `judge` says, and transactions that it lists. */
function studio(judge: JudgeEvidence, listed: Record<Hex, unknown>): (path: string, body: string) => string {
  const results: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => toBeHex(judge.chainId),
    gen_getContractCode: () => judge.code,
    sim_getTransactionsForAddress: () =>
      Object.keys(listed).map((hash, index) => ({ hash, created_at: `2026-01-0${index + 1}` })),
    eth_getTransactionByHash: ([id]) => listed[id as Hex] ?? null,
    gen_call: ([request]) => {
      const { data } = request as { data: Hex };
      const isList = Buffer.from(getBytes(data)).includes("get_records");
      const answer = isList
        ? judge.records!.map(({ sender, sequence }) => new Map(Object.entries({ sender, sequence })))
        : new Map(Object.entries(judge.record!));
      return Buffer.from(abi.calldata.encode(answer as never)).toString("hex");
    },
  };
  return (_path, body) => {
    const { method, params } = JSON.parse(body) as Rpc;
    return JSON.stringify({ jsonrpc: "2.0", id: 1, result: results[method]?.(params) ?? null });
  };
}

describe("gathering the judge's side", () => {
  let evidence: Evidence;
  let server: Served | undefined;

  before(async () => {
    evidence = await settledCase({ otherRelayers: [OTHER] });
  });
  afterEach(() => server?.stop());

  /** A transaction about the same documents, as a Studio network tells of it. */
  function told(sender: Address, changes: object = {}): object {
    const [own] = evidence.judge!.transactions;
    const calldata = Buffer.from(getBytes(own!.calldata!)).toString("base64");
    return {
      ...{ status: "FINALIZED", result_name: "MAJORITY_AGREE", result: 6 },
      ...{ txExecutionResult: 1, txExecutionResultName: "FINISHED_WITH_RETURN" },
      ...{ sender, recipient: own!.recipient, leader_only: false, execution_mode: "NORMAL" },
      num_of_initial_validators: 5,
      consensus_data: {
        votes: Object.fromEntries([1, 2, 3, 4].map((n) => [`0x${String(n).repeat(40)}`, "agree"])),
        leader_receipt: [{ node_config: { address: `0x${"5".repeat(40)}` } }],
      },
      data: { calldata },
      ...changes,
    };
  }

  /** What the audit says of the canonical record when the network lists another relayer's record before it. */
  async function canonicalRecord(rival: object): Promise<AuditStep> {
    const judge = evidence.judge!;
    const [own] = judge.transactions;
    const records = [...judge.records!, { sender: OTHER, sequence: 3 }];
    const listed = {
      [UNRELATED]: told(OTHER, { data: { calldata: "AQID" } }),
      [RIVAL]: rival,
      [own!.id]: told(own!.sender!),
    };
    server = await serve(studio({ ...judge, records }, listed));
    const reading = await readJudge({ ...evidence, judge: null }, evidence.verdictRecord, server.url);
    expect(reading.gaps).to.deep.equal([]);
    return audit({ ...evidence, judge: reading.judge }).steps.find(({ id }) => id === "canonicalRecord")!;
  }

  it("finds the transaction behind a lower-numbered record, which counts", async () => {
    expect(await canonicalRecord(told(OTHER))).to.include({
      result: "FAIL",
      note: `record 3 of ${OTHER} comes first: transaction ${RIVAL} counts`,
    });
  });

  it("finds that it does not count", async () => {
    expect(await canonicalRecord(told(OTHER, { leader_only: true }))).to.include({
      result: "PASS",
      note: `record 3 of ${OTHER} does not count: transaction ${RIVAL} has leader only true`,
    });
  });
});
