import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Reputation } from "../../../protocol/src/index.ts";
import type { AgreementRecord, AgreementSummary, AnswerBlock } from "../../../subgraph/client/index.ts";
import { agreementOut, agreementPageOut, reputationOut } from "../../../oracle/src/answers/schemas/index.ts";

/** What an operator knows; changed between tests. */
export interface OperatorKnowledge {
  caip2: string;
  escrow: string;
  block: AnswerBlock | null;
  agreement: AgreementRecord | null;
  agreements: readonly AgreementSummary[];
  /** By category, too; it is told only to who asks for that. */
  reputation: Reputation;
}

export interface OperatorStandIn {
  url: string;
  /** Each page holds one agreement. */
  paths: string[];
  stop(): Promise<void>;
}

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const atOrNull = (seconds: number | null): string | null => (seconds === null ? null : at(seconds));
const OPERATOR = "0x00000000000000000000000000000000000000AA";

/** Serves what `know` returns as an operator's HTTP API does; every answer passes the API's own schemas. */
export async function startOperatorStandIn(know: () => OperatorKnowledge): Promise<OperatorStandIn> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://operator");
    paths.push(url.pathname + url.search);
    const answer = answerTo(url, know());
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function answerTo(url: URL, know: OperatorKnowledge): unknown {
  const block = know.block && { number: know.block.number, hash: know.block.hash };
  const source = {
    ...{ kind: "operator", operator: OPERATOR, caip2: know.caip2, escrow: know.escrow, block },
    finalBlock: know.block && { ...block, at: at(know.block.timestamp) },
  };
  const [, , kind, id] = url.pathname.split("/");
  if (kind === "reputation")
    return reputationOut.parse({ source, ...viewOf(know, url.searchParams.get("byCategory") === "true") });
  if (id === undefined) {
    const index = Number(url.searchParams.get("cursor") ?? 0);
    return agreementPageOut.parse({
      source,
      agreements: know.agreements.slice(index, index + 1).map((one) => summary(one, know.caip2)),
      cursor: index + 1 < know.agreements.length ? String(index + 1) : null,
    });
  }
  return know.agreement === null
    ? null
    : agreementOut.parse({ source, ...record(know.agreement, know.caip2) });
}

function summary(one: AgreementSummary, caip2: string): object {
  const account = (address: string): string => `${caip2}:${address}`;
  return {
    ...{ agreementId: one.agreementId, chainId: 31337, caip2, buyer: one.buyer, seller: one.seller },
    accounts: { buyer: account(one.buyer), seller: account(one.seller) },
    ...{ reward: String(one.reward), fundedAt: at(one.fundedAt), state: null, outcome: null },
    escrowStatus: one.status.charAt(0) + one.status.slice(1).toLowerCase(),
    job: null,
    ignoredReason: null,
  };
}

const ENDING_EVENTS: Record<string, string> = {
  PASS: "Released",
  FAIL: "Refunded",
  UNDETERMINED: "Concluded",
};

function record(one: AgreementRecord, caip2: string): object {
  const moments: [string, number | null][] = [
    ["Funded", one.fundedAt],
    ["Accepted", one.acceptedAt],
    ["Submitted", one.submittedAt],
    [ENDING_EVENTS[one.outcome ?? ""] ?? "Settled", one.endedAt],
  ];
  const hash = `0x${"ab".repeat(32)}`;
  return {
    ...summary(one, caip2),
    outcome: one.outcome,
    terms: { ...one.terms, reward: String(one.terms.reward), salt: String(one.terms.salt) },
    events: moments.flatMap(([name, time]) =>
      time === null
        ? []
        : [{ name, blockNumber: 1, blockHash: hash, transactionHash: hash, at: at(time), final: true }],
    ),
    submissions: one.submissionHash === null ? [] : [submission(one.submissionHash, one.endedAt ?? 0)],
  };
}

function submission(submissionHash: string, time: number): object {
  return {
    ...{ submissionHash, state: "SETTLED", reason: null, lastError: null, updatedAt: at(time) },
    deadlines: { documentsBy: at(time), adjudicateBy: at(time) },
    judge: { transactions: [], current: null, inconclusive: [], rounds: 0 },
    ...{ stages: [], requirements: [], verdict: null, digest: null, attestations: [], settlement: null },
    transitions: [],
  };
}

function viewOf({ reputation, caip2 }: OperatorKnowledge, inCategories: boolean): object {
  const role = (own: Reputation["asSeller"] | Reputation["asBuyer"]): object => ({
    ...own,
    fundedVolume: String(own.fundedVolume),
    sellerVolume: String(own.sellerVolume),
    buyerVolume: String(own.buyerVolume),
    firstFundedAt: atOrNull(own.firstFundedAt),
    lastChangedAt: atOrNull(own.lastChangedAt),
  });
  const { measure, party, asOf, adjudications, byCategory } = reputation;
  const roles = ({ asSeller, asBuyer }: Pick<Reputation, "asSeller" | "asBuyer">): object => ({
    ...{ asSeller: role(asSeller), asBuyer: role(asBuyer) },
  });
  return {
    ...{ measure, party, caip10: `${caip2}:${party}`, adjudications, refundsOfUnknownOutcome: 0 },
    asOf: { blockNumber: asOf.blockNumber, blockHash: asOf.blockHash, at: at(asOf.timestamp) },
    ...roles(reputation),
    byCategory:
      byCategory === null || !inCategories
        ? null
        : {
            categories: byCategory.categories.map((one) => ({ category: one.category, ...roles(one) })),
            documentsMissing: byCategory.documentsMissing,
          },
  };
}
