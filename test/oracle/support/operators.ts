import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Wallet, computeAddress } from "ethers";
import { adjudicatorConfigOf, verdictTypedData, type Address, type Verdict } from "@assay/protocol";
import type { Operator, OperatorOptions } from "../../../oracle/src/index.ts";
import { CHAIN_ID, QUORUM } from "./sim-evm.ts";
import { dealOf, type Deal, type World } from "./world.ts";

const byte = (value: number) => `0x${value.toString(16).padStart(2, "0").repeat(32)}`;

/** The keys of the nth operator, and their addresses. */
export function keysOf(index: number) {
  const privateKeys = {
    attester: byte(0xa1 + index),
    submitter: byte(0xb1 + index),
    relayer: byte(0xc1 + index),
  };
  return {
    privateKeys,
    addresses: {
      attester: computeAddress(privateKeys.attester) as Address,
      submitter: computeAddress(privateKeys.submitter) as Address,
      relayer: computeAddress(privateKeys.relayer) as Address,
    },
  };
}

/** The nth operator as a member of the quorum. */
export function memberOf(index: number): Address {
  return keysOf(index).addresses.attester;
}

/** The nth operator as a relayer to GenLayer. */
export function relayerOf(index: number): Address {
  return keysOf(index).addresses.relayer;
}

/**
 * What the nth operator publishes about a certificate that it signs.
 *
 * @param verifier the contract that checks its signature.
 */
export async function signedBy(index: number, verdict: Verdict, verifier = QUORUM): Promise<object> {
  const { domain, types, message } = verdictTypedData(verdict, CHAIN_ID, verifier);
  const wallet = new Wallet(keysOf(index).privateKeys.attester);
  return {
    operator: memberOf(index),
    signature: await wallet.signTypedData(domain, types, message),
    verdict,
  };
}

/** A set of operators that need two of three. */
export class OperatorSet {
  readonly #world: World;
  readonly #ports: readonly number[];
  readonly members: readonly Address[];
  readonly relayers: readonly Address[];
  readonly threshold = 2;

  private constructor(world: World, ports: readonly number[]) {
    this.#world = world;
    this.#ports = ports;
    this.members = ports
      .map((_port, index) => memberOf(index))
      .sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
    this.relayers = ports.map((_port, index) => relayerOf(index));
  }

  static async of(world: World, count = 3): Promise<OperatorSet> {
    return new OperatorSet(world, await Promise.all(Array.from({ length: count }, freePort)));
  }

  attester(index: number): Address {
    return memberOf(index);
  }

  url(index: number): string {
    return `http://127.0.0.1:${this.#ports[index]!}`;
  }

  start(index: number, options: OperatorOptions = {}, env: Record<string, string> = {}): Promise<Operator> {
    const { privateKeys: keys } = keysOf(index);
    return this.#world.start(options, {
      ASSAY_QUORUM_MEMBERS: this.members.join(),
      ASSAY_QUORUM_THRESHOLD: String(this.threshold),
      ASSAY_ATTESTER_KEY: keys.attester,
      ASSAY_SUBMITTER_KEY: keys.submitter,
      ASSAY_RELAYER_KEY: keys.relayer,
      ASSAY_DATA_DIR: join(this.#world.dataDir, String(index)),
      ASSAY_HTTP_PORT: String(this.#ports[index]!),
      ASSAY_PEERS: this.#ports
        .filter((_port, other) => other !== index)
        .map((port) => `http://127.0.0.1:${port}`)
        .join(),
      ASSAY_RANK_SECONDS: "20",
      ...env,
    });
  }

  /** An agreement that this set judges. */
  deal(): Deal {
    return dealOf(this.#world, {
      terms: { adjudicatorConfig: adjudicatorConfigOf(this.members, this.threshold) },
      adjudication: { relayers: [...this.relayers] },
    });
  }

  /** What the nth operator would publish if it signed this certificate. */
  attestation(index: number, verdict: Verdict): Promise<object> {
    return signedBy(index, verdict);
  }

  /** Answers in the nth operator's place. */
  async impersonate(
    index: number,
    answer: (path: string) => Promise<object | null>,
  ): Promise<() => Promise<void>> {
    const server = createServer((request, response) => {
      void answer(request.url ?? "").then((body) => {
        response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(body ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#ports[index], "127.0.0.1", resolve));
    server.unref();
    return async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
