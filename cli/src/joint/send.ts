import { createJsonRpc } from "@assay/evidence";
import type { Address, GenLayerNetwork, Hex } from "@assay/protocol";
import { dataLength } from "ethers";
import { UnavailableError } from "../errors.ts";
import type { Signer } from "../wallet/signer.ts";

/** A call of a contract on GenLayer. */
export interface GenLayerCall {
  readonly contract: Address;
  readonly functionName: string;
  readonly args: (string | number | string[])[];
}

/** What genlayer-js hands to an account for signing. */
interface Unsigned {
  readonly to?: string | null | undefined;
  readonly data?: string | undefined;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
}

/** Stops genlayer-js before it sends: its own way of waiting loses transactions. */
class Built extends Error {
  readonly unsigned: Unsigned;

  constructor(unsigned: Unsigned) {
    super("built; the caller signs and sends");
    this.unsigned = unsigned;
  }
}

/**
 * Signs and sends one call. The caller looks for its effect in finalized state.
 *
 * @param url null for the network's public endpoint.
 * @returns the hash of the transaction that carries it.
 * @throws UnavailableError when the endpoint does not take it.
 */
export async function sendToGenLayer(
  network: GenLayerNetwork,
  url: string | null,
  { contract, functionName, args }: GenLayerCall,
  signer: Signer,
): Promise<Hex> {
  const library = await import("genlayer-js");
  const known = Object.entries(library.chains).find(([name]) => name === network.name)?.[1];
  const endpoint = url ?? known?.rpcUrls.default.http[0];
  if (known === undefined || endpoint === undefined)
    throw new UnavailableError(
      `genlayer-js knows no network named ${network.name}`,
      "Use a newer build of Assay.",
    );
  const { blockExplorers: _explorers, ...chain } = known;
  const client = library.createClient({
    chain: { ...chain, rpcUrls: { default: { http: [endpoint] } } },
    // The key stays with the wallet; of the made-up account only its shape is used.
    account: {
      ...library.createAccount(),
      address: signer.address,
      signTransaction: (unsigned: Unsigned) => Promise.reject(new Built(unsigned)),
    },
  });
  const {
    to,
    data = "0x",
    gas = 0n,
    gasPrice = 0n,
  } = await built(() => client.writeContract({ address: contract, functionName, args, value: 0n }));
  const rpc = createJsonRpc(endpoint);
  const raw = await signer.signTransaction({
    ...{ type: 0, to: to ?? null, data, gasPrice, value: 0n, chainId: network.chainId },
    nonce: Number(await rpc.send("eth_getTransactionCount", [signer.address, "latest"])),
    gasLimit: gasFor(gas, data),
  });
  return String(await rpc.send("eth_sendRawTransaction", [raw])) as Hex;
}

async function built(build: () => Promise<unknown>): Promise<Unsigned> {
  try {
    await build();
  } catch (error) {
    if (error instanceof Built) return error.unsigned;
    const said = error instanceof Error ? error.message : String(error);
    throw new UnavailableError(`GenLayer's endpoint does not take the call: ${said}`, "Check the endpoint.", {
      cause: error,
    });
  }
  throw new UnavailableError("genlayer-js sent a call without a signature", "Use another build of Assay.");
}

/** Exact estimates revert on testnets: half as much again, and never less than what the calldata alone costs. */
function gasFor(estimate: bigint, data: string): bigint {
  const withHeadRoom = (estimate * 3n) / 2n;
  const floor = 250_000n + 40n * BigInt(dataLength(data));
  return withHeadRoom > floor ? withHeadRoom : floor;
}
