import { RpcResponseError } from "../../../oracle/src/rpc/index.ts";
import { SimEvm } from "../support/sim-evm.ts";
import type { SimGenLayer } from "../support/sim-genlayer.ts";
import type { Draws } from "./draws.ts";
import type { FaultPlan, RequestFaults, Stretch } from "./plan.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Milliseconds during which the same request meets the same fault. */
const WINDOW = 7_000;
interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown[];
}

/** The endpoints of both chains, as one operator reaches them, with everything that a seed lets go wrong. */
export class FaultyEndpoints {
  readonly #plan: FaultPlan;
  readonly #time: VirtualTime;
  readonly #start: number;
  readonly #evm: SimEvm;
  readonly #genLayer: SimGenLayer;
  readonly #foreign = new SimEvm(1_600_000_000);

  constructor(plan: FaultPlan, time: VirtualTime, chains: { evm: SimEvm; genLayer: SimGenLayer }) {
    this.#plan = plan;
    this.#time = time;
    this.#start = time.now;
    this.#evm = chains.evm;
    this.#genLayer = chains.genLayer;
  }

  /** Milliseconds since the world began. */
  get elapsed(): number {
    return this.#time.now - this.#start;
  }

  isCalm(): boolean {
    return this.elapsed >= this.#plan.calmAt;
  }

  during(stretch: Stretch | null): boolean {
    return stretch !== null && this.elapsed >= stretch.from && this.elapsed < stretch.to;
  }

  /** What HTTP itself does to a request; null when it lets it through. */
  async transport(faults: RequestFaults, host: string, about: string): Promise<Response | null> {
    const { draws } = this.#plan;
    await this.#time.sleep(draws.integer(2, 400, "latency", host, about, this.#time.now));
    if (this.isCalm()) return null;
    const key = [host, about, Math.floor(this.elapsed / WINDOW)] as const;
    if (draws.happens(faults.hang, "hang", ...key)) return this.#time.unanswered();
    if (draws.happens(faults.error, "error", ...key))
      return draws.pick(
        [
          () => failure(500, "internal error"),
          () => failure(503, "<html>unavailable</html>"),
          () => {
            throw new TypeError("fetch failed");
          },
        ],
        "kind",
        ...key,
      )();
    if (draws.happens(faults.limited, "limited", ...key)) {
      const seconds = draws.integer(1, 20, "after", ...key);
      const after = draws.pick(
        [String(seconds), new Date(this.#time.now + seconds * 1_000).toUTCString(), null],
        "form",
        ...key,
      );
      return failure(429, "slow down", after === null ? {} : { "retry-after": after });
    }
    if (draws.happens(faults.garbage, "garbage", ...key))
      return draws.pick(
        ["", "<html>", "null", "7", "[]", '{"result":', '{"jsonrpc":"2.0"}', '{"error":{}}'],
        "what",
        ...key,
      ) === "null"
        ? failure(200, "null")
        : failure(200, "<html>oops</html>");
    return null;
  }

  async evm(host: string, index: number, body: string): Promise<Response> {
    const call = JSON.parse(body) as Call;
    const { evm, endpoints } = this.#plan;
    const faulty = await this.transport(evm, host, body.replace(/"id":\d+/, ""));
    if (faulty !== null) return faulty;
    if (index === 0 && this.during(evm.wrongChain)) return respond(call, () => this.#onOtherChain(call));
    return respond(call, () => this.#evmAnswer(host, call, index === endpoints - 1));
  }

  #onOtherChain({ method, params }: Call): unknown {
    return method === "eth_chainId" ? "0x1" : this.#foreign.answer(method, params);
  }

  #evmAnswer(host: string, { method, params }: Call, isLast: boolean): unknown {
    const { evm, draws } = this.#plan;
    if (this.isCalm()) return this.#evm.answer(method, params);
    const key = [host, method, JSON.stringify(params), Math.floor(this.elapsed / WINDOW)] as const;
    if (isLast && this.during(evm.lies)) {
      if (method === "eth_getTransactionReceipt") return forgedReceipt(params[0], draws, key);
      if (method === "eth_getTransactionCount") return `0x${(9_999).toString(16)}`;
    }
    if (method === "eth_getTransactionReceipt" && draws.happens(evm.nullReceipts, "null", ...key))
      return null;
    const trail = Math.floor(this.elapsed / 20_000);
    const lag = draws.happens(0.5, "lags", host, trail) ? draws.integer(0, evm.lag, "lag", host, trail) : 0;
    if (method === "eth_getLogs") return this.#logs(params, lag, draws, key);
    return this.#evm.answer(method, params, lag);
  }

  #logs(params: unknown[], lag: number, draws: Draws, key: readonly (string | number)[]): unknown {
    const { evm } = this.#plan;
    const { fromBlock, toBlock } = params[0] as { fromBlock?: string; toBlock?: string };
    const width = fromBlock === undefined ? 1 : Number(toBlock) - Number(fromBlock) + 1;
    if (evm.widestRange !== null && width > evm.widestRange)
      throw new RpcResponseError(
        "sim",
        "eth_getLogs",
        -32_005,
        draws.pick(
          [
            "query returned more than 10000 results",
            `exceed maximum block range: ${evm.widestRange}`,
            "block range is too wide",
            "response size exceeded",
          ],
          "wording",
          key[0] ?? "",
        ),
        null,
      );
    let logs = this.#evm.answer("eth_getLogs", params, lag) as unknown[];
    logs = logs.filter((_log, index) => !draws.happens(evm.missingLogs, "missing", index, ...key));
    if (draws.happens(evm.duplicateLogs, "twice", ...key)) logs = [...logs, ...logs];
    if (draws.happens(evm.unorderedLogs, "unordered", ...key)) logs = logs.toReversed();
    return logs;
  }

  async genLayer(host: string, body: string): Promise<Response> {
    const call = JSON.parse(body) as Call;
    const { genLayer } = this.#plan;
    const about = body.replace(/"id":\d+/, "");
    const faulty = await this.transport(genLayer, host, about);
    if (faulty !== null) return faulty;
    if (this.during(genLayer.down)) throw new TypeError("fetch failed");
    const answer = this.#genLayer.respond(call.method, call.params);
    return json({ jsonrpc: "2.0", id: call.id, ...this.#judgeAnswer(host, about, call, answer) });
  }

  #judgeAnswer(host: string, about: string, { method }: Call, answer: object): object {
    const { genLayer, draws } = this.#plan;
    if (this.isCalm()) return answer;
    const key = [host, about, Math.floor(this.elapsed / WINDOW)] as const;
    if (method === "eth_getTransactionReceipt" && draws.happens(genLayer.nullReceipts, "null", ...key))
      return { result: null };
    if (method !== "eth_getTransactionByHash" || !("result" in answer)) return answer;
    if (draws.happens(genLayer.unknownTransactions, "unknown", ...key))
      return { error: { code: -32_001, message: "Transaction not found" } };
    if (answer.result !== null && draws.happens(genLayer.oddStatuses, "odd", ...key))
      return { result: { ...(answer.result as object), ...draws.pick(ODDITIES, "oddity", ...key) } };
    return answer;
  }
}

/** Members of a transaction as no network should send them; none of them may ever count. */
const ODDITIES: readonly object[] = [
  { status: "LEADER_REVEALING" },
  { status: 7 },
  { status: "SOMETHING_NEW" },
  { result_name: undefined, result: undefined },
  { result: 6, result_name: "MAJORITY_DISAGREE" },
  { txExecutionResult: 1, txExecutionResultName: "FINISHED_WITH_ERROR" },
  { consensus_data: null },
];

function forgedReceipt(hash: unknown, draws: Draws, key: readonly (string | number)[]) {
  return {
    transactionHash: hash,
    blockHash: `0x${"f0".repeat(32)}`,
    blockNumber: `0x${draws.integer(1, 20, "forged", ...key).toString(16)}`,
    status: draws.pick(["0x1", "0x0"], "forged status", ...key),
  };
}

function respond(call: Call, answer: () => unknown): Response {
  try {
    return json({ jsonrpc: "2.0", id: call.id, result: answer() });
  } catch (error) {
    if (!(error instanceof RpcResponseError)) throw error;
    const { code, data } = error;
    const message = error.message.replace(/^.*was refused \(-?\d+\): /, "");
    return json({ jsonrpc: "2.0", id: call.id, error: { code, message, data } });
  }
}

/** A response whose body needs no stream. */
export function json(body: unknown, status = 200): Response {
  return failure(status, JSON.stringify(body));
}

export function failure(status: number, text: string, headers: Record<string, string> = {}): Response {
  const bytes = new TextEncoder().encode(text);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers(headers),
    // What is no JSON rejects, as it does with a real response.
    json: () => Promise.resolve(text).then((content) => JSON.parse(content) as unknown),
    text: () => Promise.resolve(text),
    arrayBuffer: () => Promise.resolve(bytes.buffer),
    get body() {
      return new Response(bytes).body;
    },
  } as unknown as Response;
}
