import { readFileSync } from "node:fs";
import { Interface, type InterfaceAbi, type ParamType, type Result } from "ethers";

/** What the index reads events from. */
export const CONTRACTS = ["escrow", "quorum", "evaluator", "gate"] as const;

/** One of them. */
export type ContractName = (typeof CONTRACTS)[number];

/** The interface as it was compiled, so that tests and contracts can't disagree on a signature. */
export function readInterface(
  name: "IAgreementEscrow" | "IVerdictQuorum" | "IErc8183Evaluator" | "IExecutionProofGate",
): Interface {
  const path = new URL(
    `../../../artifacts/contracts-evm/interfaces/${name}.sol/${name}.json`,
    import.meta.url,
  );
  return new Interface((JSON.parse(readFileSync(path, "utf8")) as { abi: InterfaceAbi }).abi);
}

const INTERFACES: Record<ContractName, Interface> = {
  escrow: readInterface("IAgreementEscrow"),
  quorum: readInterface("IVerdictQuorum"),
  evaluator: readInterface("IErc8183Evaluator"),
  gate: readInterface("IExecutionProofGate"),
};

/** A log to be emitted. */
export interface Log {
  contract: ContractName;
  name: string;
  args: Record<string, unknown>;
}

/** A log on a chain, its arguments decoded: addresses and hashes lower-case, numbers as bigints. */
export interface ChainLog extends Log {
  /** Transaction hash and log index, as the index makes its ids. */
  id: string;
  transactionHash: string;
  logIndex: number;
  blockNumber: number;
  timestamp: number;
}

/** Topics and data of a log. */
export function encodeLog({ contract, name, args }: Log): { topics: string[]; data: string } {
  const event = INTERFACES[contract].getEvent(name);
  if (event === null) throw new Error(`${contract} has no event ${name}`);
  const { topics, data } = INTERFACES[contract].encodeEventLog(
    event,
    event.inputs.map((input) => args[input.name]),
  );
  return { topics: topics, data };
}

/** A log as JSON-RPC's `eth_getLogs` returns it. */
export interface RpcLog {
  address: string;
  topics: string[];
  data: string;
  transactionHash: string;
  logIndex: string;
  blockNumber: string;
}

export function decodeLog(contract: ContractName, log: RpcLog, timestamp: number): ChainLog {
  const parsed = INTERFACES[contract].parseLog(log);
  if (parsed === null) throw new Error(`${contract} emitted an event that its interface does not have`);
  const logIndex = Number(log.logIndex);
  const suffix = Buffer.alloc(4);
  suffix.writeInt32LE(logIndex);
  return {
    contract,
    name: parsed.name,
    args: plainTuple(parsed.fragment.inputs, parsed.args),
    id: log.transactionHash + suffix.toString("hex"),
    transactionHash: log.transactionHash,
    logIndex,
    blockNumber: Number(log.blockNumber),
    timestamp,
  };
}

/** Tuples become objects, arrays stay arrays, hex becomes lower-case. */
function plain(type: ParamType, value: unknown): unknown {
  if (type.isArray()) return [...(value as Result)].map((element) => plain(type.arrayChildren, element));
  if (type.isTuple()) return plainTuple(type.components, value as Result);
  return typeof value === "string" ? value.toLowerCase() : value;
}

function plainTuple(types: readonly ParamType[], values: Result): Record<string, unknown> {
  return Object.fromEntries(types.map((type, position) => [type.name, plain(type, values[position])]));
}
