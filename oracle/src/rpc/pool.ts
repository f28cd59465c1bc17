import { RpcResponseError, RpcUnavailableError } from "./errors.ts";
import type { JsonRpc } from "./json-rpc.ts";
import type { ProviderStatus } from "./provider-state.ts";
import { heightOf, type Provider } from "./provider.ts";
import { isRateLimit } from "./send-error.ts";

/** Tags whose block differs from endpoint to endpoint, because each has got so far. */
const MOVING_TAGS = ["latest", "finalized", "safe", "pending"];

/** Who is asked first. */
const PREFERENCE: readonly ProviderStatus[] = [
  "alive",
  "unknown",
  "standingStill",
  "outOfSync",
  "unreachable",
  "wrongChain",
];

type Answer = { readonly value: unknown } | { readonly error: unknown };

/**
 * Several endpoints of one chain as one. What can lead to money counts only when `quorum` of them give the same
 * answer; heads are those that `quorum` endpoints have reached; transactions go to every one.
 *
 * @param quorum endpoints that must agree; 2 of any number above one is the usual choice.
 * @throws RangeError when there are fewer endpoints than that.
 */
export function createRpcPool(endpoints: readonly Provider[], quorum: number): JsonRpc {
  const [first] = endpoints;
  if (first === undefined || quorum < 1 || quorum > endpoints.length)
    throw new RangeError(`a quorum of ${quorum} among ${endpoints.length} endpoints`);
  if (endpoints.length === 1) return first;
  const origin = endpoints.map((endpoint) => endpoint.origin).join(" and ");
  let turn = 0;

  /** The endpoints, those in best health first, and among equals another one each time. */
  function inOrder(): readonly Provider[] {
    turn = (turn + 1) % endpoints.length;
    const rotated = [...endpoints.slice(turn), ...endpoints.slice(0, turn)];
    const rank = (endpoint: Provider) => PREFERENCE.indexOf(endpoint.state().status);
    return rotated.sort((one, other) => rank(one) - rank(other));
  }

  function askAll(
    method: string,
    parameters: readonly unknown[],
    of: readonly Provider[] = endpoints,
  ): Promise<readonly Answer[]> {
    return Promise.all(
      of.map((endpoint) =>
        endpoint.send(method, parameters).then(
          (value): Answer => ({ value }),
          (error: unknown): Answer => ({ error }),
        ),
      ),
    );
  }

  function disagreement(method: string, answers: readonly Answer[]): Error {
    const failures = answers.flatMap((answer) => ("error" in answer ? [answer.error] : []));
    const refusals = failures.filter((error) => error instanceof RpcResponseError && !isRateLimit(error));
    // Enough endpoints refuse alike: that is the answer.
    if (refusals.length >= quorum && refusals[0] instanceof Error) return refusals[0];
    return new RpcUnavailableError(
      origin,
      method,
      failures.length > 0
        ? `got ${answers.length - failures.length} answers of ${endpoints.length}, too few agree`
        : "got answers that differ",
      null,
      { cause: failures[0] },
    );
  }

  /** The answer that enough endpoints give alike: as few are asked as may be enough, the others when they are not. */
  async function agreed(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const order = inOrder();
    const answers = [...(await askAll(method, parameters, order.slice(0, quorum)))];
    let found = common(method, answers);
    if (found === undefined && order.length > quorum) {
      answers.push(...(await askAll(method, parameters, order.slice(quorum))));
      found = common(method, answers);
    }
    if (found === undefined) throw disagreement(method, answers);
    return found.value;
  }

  /** Asked of every endpoint, so that each is found out when it changes chains, and when it comes back. */
  async function identity(parameters: readonly unknown[]): Promise<unknown> {
    const answers = await askAll("eth_chainId", parameters);
    const found = common("eth_chainId", answers);
    if (found === undefined) throw disagreement("eth_chainId", answers);
    return found.value;
  }

  /** The answer that `quorum` of these share. */
  function common(method: string, answers: readonly Answer[]): { readonly value: unknown } | undefined {
    const votes = new Map<string, { count: number; readonly value: unknown }>();
    for (const answer of answers) {
      if ("error" in answer) continue;
      const key = normalised(essence(method, answer.value));
      const vote = votes.get(key) ?? { count: 0, value: answer.value };
      vote.count++;
      votes.set(key, vote);
    }
    return [...votes.values()].find(({ count }) => count >= quorum);
  }

  /** The first answer of any endpoint. A refusal counts once nobody has an answer. */
  async function any(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const failures: unknown[] = [];
    for (const endpoint of inOrder())
      try {
        return await endpoint.send(method, parameters);
      } catch (error) {
        failures.push(error);
      }
    throw failures.find((error) => error instanceof RpcResponseError && !isRateLimit(error)) ?? failures[0];
  }

  /** The block that `quorum` endpoints have reached under a moving tag, agreed on by its number. */
  async function head(tag: string, full: unknown): Promise<unknown> {
    const answers = await askAll("eth_getBlockByNumber", [tag, full]);
    const heights = answers
      .flatMap((answer) => ("value" in answer ? [heightOf(answer.value)] : []))
      .filter((height) => height !== null)
      .sort((one, other) => other - one);
    const height = heights[quorum - 1];
    if (height === undefined) throw disagreement("eth_getBlockByNumber", answers);
    if (tag === "latest") for (const endpoint of endpoints) endpoint.compareWith(height);
    const alike = common(
      "eth_getBlockByNumber",
      answers.filter((answer) => "value" in answer && heightOf(answer.value) === height),
    );
    return alike === undefined
      ? agreed("eth_getBlockByNumber", [`0x${height.toString(16)}`, full])
      : alike.value;
  }

  /** Receipts appear on one endpoint before another: null counts when nobody has one, and `quorum` say so. */
  async function present(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const answers = await askAll(method, parameters);
    const found = answers.find((answer) => "value" in answer && answer.value !== null);
    if (found !== undefined && "value" in found) return found.value;
    // One that is down can't be waited for; whoever acts on null makes sure of more than that.
    if (answers.filter((answer) => "value" in answer).length < quorum) throw disagreement(method, answers);
    return null;
  }

  /** The highest count that `quorum` endpoints have reached: neither one that lags nor one that lies decides alone. */
  async function reached(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const answers = await askAll(method, parameters);
    const values = answers
      .flatMap((answer) => ("value" in answer ? [answer.value] : []))
      .sort((one, other) => Number(other) - Number(one));
    if (values.length < quorum) throw disagreement(method, answers);
    return values[quorum - 1];
  }

  /** One endpoint that takes a transaction is enough; otherwise the refusal that says most. */
  async function broadcast(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const answers = await askAll(method, parameters);
    const taken = answers.find((answer) => "value" in answer);
    if (taken !== undefined && "value" in taken) return taken.value;
    const failures = answers.flatMap((answer) => ("error" in answer ? [answer.error] : []));
    throw failures.find((error) => error instanceof RpcResponseError && !isRateLimit(error)) ?? failures[0];
  }

  return {
    origin,
    send(method, parameters) {
      const tag = parameters[method === "eth_getBlockByNumber" ? 0 : 1];
      const moving = typeof tag === "string" && MOVING_TAGS.includes(tag);
      switch (method) {
        case "eth_sendRawTransaction":
          return broadcast(method, parameters);
        case "eth_getTransactionReceipt":
          return present(method, parameters);
        case "eth_getBlockByNumber":
          return moving ? head(tag, parameters[1]) : agreed(method, parameters);
        case "eth_getTransactionCount":
          return moving ? reached(method, parameters) : agreed(method, parameters);
        case "eth_chainId":
          return identity(parameters);
        case "eth_call":
        case "eth_getCode":
        case "eth_getLogs":
          return agreed(method, parameters);
        default:
          return any(method, parameters);
      }
    },
  };
}

/** Members of answers that matter; nodes of different make add others, of which no two need agree. */
const ESSENCE: Readonly<Record<string, readonly string[]>> = {
  eth_getBlockByNumber: ["number", "hash", "parentHash", "timestamp", "logsBloom", "baseFeePerGas"],
  eth_getLogs: ["address", "topics", "data", "blockNumber", "blockHash", "transactionHash", "logIndex"],
};

/** What of an answer two endpoints have to agree on. */
function essence(method: string, value: unknown): unknown {
  const members = ESSENCE[method];
  if (members === undefined) return value;
  const pick = (entry: unknown) =>
    typeof entry === "object" && entry !== null
      ? Object.fromEntries(members.map((member) => [member, (entry as Record<string, unknown>)[member]]))
      : entry;
  if (!Array.isArray(value)) return pick(value);
  // Their order carries nothing, and a log that comes twice is one log.
  return [...new Set(value.map((entry) => normalised(pick(entry))))].sort();
}

/** Members in one order, so that two endpoints may write the same answer differently. */
function normalised(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : typeof inner === "string" && inner.startsWith("0x")
        ? inner.toLowerCase()
        : inner,
  );
}
