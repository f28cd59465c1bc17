import type { Key, OperatorConfig } from "../config/index.ts";
import type { JsonRpc, ObserveCall, Provider } from "../rpc/index.ts";
import { createAgreeingJudge } from "./agreeing.ts";
import { connectGenLayer } from "./endpoint.ts";
import { createJudge } from "./genlayer.ts";
import type { Judge } from "./judge.ts";

/** A judge with the endpoints that are asked. */
export interface JudgeConnection {
  readonly judge: Judge;
  /** In the order in which they are preferred. */
  readonly providers: readonly Provider[];
  /** The first of them, for what is not the judge's. */
  readonly rpc: JsonRpc;
}

/** Connects to every endpoint of the configured network. One is believed; of several, two must agree. */
export function connectJudge(
  { endpoints, network }: OperatorConfig["genLayer"],
  relayer: Key,
  observe: ObserveCall,
): JudgeConnection {
  const connections = endpoints.map((endpoint) => {
    const provider = connectGenLayer(endpoint, network, { observe });
    return { provider, judge: createJudge({ endpoint, network, relayer, provider }) };
  });
  const [first, ...others] = connections;
  if (first === undefined) throw new Error("no endpoint of a GenLayer network is configured");
  return {
    judge: createAgreeingJudge([first.judge, ...others.map(({ judge }) => judge)]),
    providers: connections.map(({ provider }) => provider),
    rpc: first.provider,
  };
}
