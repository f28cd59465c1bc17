import { computeAddress } from "ethers";
import {
  findGenLayerNetwork,
  toAddress,
  type Address,
  type GenLayerNetwork,
  type Hex,
} from "@assay/protocol";
import { z } from "zod";
import type { Finality, Key } from "./value-types.ts";
import { Endpoint, Secret } from "./secret.ts";

/** A parser as a zod step: what it throws becomes the problem's text, so it must not quote its input. */
export function parsed<T>(parse: (text: string) => T): z.ZodType<T, string> {
  return z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is not valid" });
      return z.NEVER;
    }
  });
}

const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export const text = parsed((value) => value);

export const address = parsed(toAddress);

export const addresses = parsed((value): readonly Address[] =>
  list(value)
    .map(toAddress)
    .sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)),
);

export const integer = (minimum: number, maximum: number) =>
  parsed((value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum)
      throw new Error(`must be an integer from ${minimum} to ${maximum}`);
    return number;
  });

export const oneOf = <T extends string>(...choices: readonly T[]) =>
  parsed((value): T => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`must be one of ${choices.join(", ")}`);
    return found;
  });

/** The whole URL is a secret: it usually holds a password. */
export const databaseUrl = parsed((value) => {
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  if (protocol !== "postgres:" && protocol !== "postgresql:") throw new Error("must be a postgres:// URL");
  return new Secret(value);
});

function endpointOf(value: string): Endpoint {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new Error("must be an http or https URL");
  return new Endpoint(url);
}

export const endpoint = parsed(endpointOf);

export const endpoints = parsed((value): readonly Endpoint[] => list(value).map(endpointOf));

/** The same, of which there has to be one. */
export const someEndpoints = parsed((value): readonly Endpoint[] => {
  const found = list(value).map(endpointOf);
  if (found.length === 0) throw new Error("must name at least one URL");
  return found;
});

/** A path of this machine, or a document elsewhere. */
export const pathOrUrl = parsed((value): string | Endpoint =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? endpointOf(value) : value,
);

export const flag = parsed((value) => {
  if (value !== "0" && value !== "1") throw new Error("must be 1 or 0");
  return value === "1";
});

export const privateKey = parsed((value): Key => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new Error("must be 0x and 64 hexadecimal digits");
  try {
    return { address: computeAddress(value) as Address, privateKey: new Secret(value.toLowerCase() as Hex) };
  } catch {
    throw new Error("is no private key of secp256k1");
  }
});

export const finality = parsed((value): Finality => {
  if (value === "finalized" || value === "safe") return value;
  if (/^\d{1,6}$/.test(value)) return { confirmations: Number(value) };
  throw new Error('must be "finalized", "safe" or a number of confirmations');
});

/** Where an operator stands in an ERC-8004 identity registry. */
export interface Erc8004Agent {
  readonly agentId: number;
  /** CAIP-10 id of the registry. */
  readonly registry: string;
}

export const erc8004Agent = parsed((value): Erc8004Agent => {
  const [, id, registry] = /^(\d{1,15})@(eip155:\d{1,15}:0x[0-9a-fA-F]{40})$/.exec(value) ?? [];
  if (id === undefined || registry === undefined)
    throw new Error("must be an agent id, @, and the registry's CAIP-10 id, such as 7@eip155:8453:0x8004…");
  return { agentId: Number(id), registry };
});

export const network = parsed((value): GenLayerNetwork => {
  const found = findGenLayerNetwork(value);
  if (found === undefined) throw new Error("is no known GenLayer network");
  return found;
});

export const gwei = parsed((value) => {
  if (!/^\d{1,9}$/.test(value) || value === "0") throw new Error("must be a whole number of gwei above 0");
  return BigInt(value) * 1_000_000_000n;
});
