import { TypedDataEncoder, recoverAddress } from "ethers";
import { isSameAddress, typedDataDigest, type Address, type Hex, type TypedData } from "@assay/protocol";
import { RefusedError } from "./errors.ts";
import type { Io } from "./io.ts";
import { show } from "./output/show.ts";
import type { Node } from "./transact/node.ts";
import type { Wallet } from "./wallet/signer.ts";

/**
 * Prints typed data as wallets take it (`eth_signTypedData_v4`).
 *
 * @param signer whose signature is wanted, in words.
 * @param flag takes the signature back.
 */
export function printTypedData(io: Io, typedData: TypedData, signer: string, flag = "--signature"): void {
  const { domain, types, message } = typedData;
  io.diagnose(
    `Sign this as ${signer} (EIP-712 ${typedData.primaryType}) and hand the signature back with ${flag}.`,
  );
  show(io, true, TypedDataEncoder.getPayload(domain, types, message), []);
}

/**
 * The signature of an account over typed data: the one that was handed in, checked, or the wallet's own.
 *
 * @param given what came with `--signature`.
 * @throws RefusedError when it is not that account's, or the wallet is another account's.
 */
export async function signatureBy(
  signer: Address,
  typedData: TypedData,
  { given, wallet, node }: { given: Hex | undefined; wallet: Wallet | null; node: Node },
): Promise<Hex> {
  if (given !== undefined) {
    await requireSignature(signer, typedData, given, node);
    return given;
  }
  return (await requireSigner(signer, wallet).unlock()).signTypedData(typedData);
}

/** The wallet, if it is that account's. @throws RefusedError */
export function requireSigner(signer: Address, wallet: Wallet | null): Wallet {
  if (wallet !== null && isSameAddress(wallet.address, signer)) return wallet;
  throw new RefusedError(
    "signer_unexpected",
    `only ${signer} can sign this${wallet === null ? "" : `, and wallet ${wallet.name} is ${wallet.address}`}`,
    "Use that account's wallet, or let it sign elsewhere: --typed-data prints what to sign, --signature takes it back.",
  );
}

/** @throws RefusedError unless the signature is that account's; contracts that sign (ERC-1271) are left to the chain. */
export async function requireSignature(
  signer: Address,
  typedData: TypedData,
  signature: Hex,
  node: Pick<Node, "hasCode">,
): Promise<void> {
  const found = recovered(typedDataDigest(typedData), signature);
  if (found !== null && isSameAddress(found, signer)) return;
  if (await node.hasCode(signer)) return;
  throw new RefusedError(
    "SignatureInvalid",
    `the signature is not one of ${signer} for exactly this${found === null ? "" : `; it may be ${found}'s, or for something else`}`,
    "Sign what --typed-data prints, with the same options, network and agreement.",
  );
}

/** Whose ECDSA signature that is; null when it is none. */
export function signerOf(typedData: TypedData, signature: Hex): Address | null {
  return recovered(typedDataDigest(typedData), signature);
}

function recovered(digest: Hex, signature: Hex): Address | null {
  try {
    return recoverAddress(digest, signature) as Address;
  } catch {
    return null;
  }
}
