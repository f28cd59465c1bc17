import { readFileSync } from "node:fs";

/** Where a subgraph's contracts are; `null` in `networks.json` means that nothing is deployed there. */
export interface Deployment {
  escrow: string;
  quorum: string;
  /** Left out where it is not deployed. */
  evaluator?: string;
  /** Left out where it is not deployed. */
  gate?: string;
  startBlock: number;
}

/** The name of a network and the deployment on it. */
export interface Target extends Deployment {
  network: string;
}

/** Parts of a deployment as the command line gives them. */
export type Overrides = Partial<Record<keyof Deployment, string>>;

/** A refusal in one sentence. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

/** The networks of `networks.json`. */
export function readNetworks(): Record<string, Deployment | null> {
  const text = readFileSync(new URL("../networks.json", import.meta.url), "utf8");
  return JSON.parse(text) as Record<string, Deployment | null>;
}

/**
 * The deployment of a network, each part replaced by what was given.
 *
 * @throws {@link TargetError} when the network is unknown, or a part is missing.
 */
export function targetOf(
  network: string | undefined,
  given: Overrides,
  networks: Record<string, Deployment | null> = readNetworks(),
): Target {
  if (network === undefined || !Object.hasOwn(networks, network)) {
    throw new TargetError(
      `${network === undefined ? "No network is given" : `${network} is no network of networks.json`}; choose one of ${Object.keys(networks).join(", ")}.`,
    );
  }
  const known = networks[network] ?? undefined;
  const need = (part: keyof Deployment, option: string): string => {
    const value = given[part] ?? known?.[part];
    if (value !== undefined) return String(value);
    throw new TargetError(
      `Nothing is deployed on ${network} according to networks.json; give ${option}, or enter the deployment there.`,
    );
  };
  const optional = (part: "evaluator" | "gate"): Partial<Deployment> => {
    const value = given[part] ?? known?.[part];
    return value === undefined ? {} : { [part]: value };
  };
  return {
    network,
    escrow: need("escrow", "--escrow"),
    quorum: need("quorum", "--quorum"),
    ...optional("evaluator"),
    ...optional("gate"),
    startBlock: Number(need("startBlock", "--start-block")),
  };
}
