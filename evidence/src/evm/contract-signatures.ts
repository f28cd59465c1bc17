import { AbiCoder } from "ethers";
import {
  isCertificate,
  isDelivery,
  isEcdsaSignedBy,
  openCase,
  type Address,
  type CaseFile,
  type Evidence,
  type Hex,
} from "@assay/protocol";
import { RpcError } from "../rpc.ts";
import { selectorOf, type Chain } from "./chain.ts";

const IS_VALID_SIGNATURE = selectorOf("isValidSignature(bytes32,bytes)");

/**
 * Asks every member, or the recorder of a walk, whose signature is no ECDSA signature of its own whether it is one by ERC-1271: at the block of
 * the settlement if the node still has its state, else at the latest.
 */
export async function askContracts(
  chain: Chain,
  evidence: Evidence,
): Promise<Evidence["evm"]["contractSignatures"]> {
  const file = openCase(evidence);
  const block = file.history.ending?.block.hash;
  if (block === undefined) return [];
  const open = signaturesIn(file).filter(
    ({ signer, digest, signature }) => signature !== "0x" && !isEcdsaSignedBy(signer, digest, signature),
  );
  return Promise.all(
    open.map(async ({ signer, digest, signature }) => {
      const data = (IS_VALID_SIGNATURE +
        AbiCoder.defaultAbiCoder().encode(["bytes32", "bytes"], [digest, signature]).slice(2)) as Hex;
      const answer = await answered(chain, signer, data, block);
      return { signer, digest, signature, valid: answer.startsWith(IS_VALID_SIGNATURE) };
    }),
  );
}

/** Every signature that the agreement's ending rests on: the operators', or the recorder's of a walk. */
function signaturesIn({ certificate, digest, walk }: CaseFile): readonly Signed[] {
  if (walk !== null)
    return walk.digest !== null && isDelivery(walk.delivery)
      ? [{ signer: walk.recorder, digest: walk.digest, signature: walk.delivery.signature }]
      : [];
  if (!isCertificate(certificate) || digest === null) return [];
  return certificate.members.map((signer, index) => ({
    signer,
    digest,
    signature: certificate.signatures[index] ?? "0x",
  }));
}

interface Signed {
  readonly signer: Address;
  readonly digest: Hex;
  readonly signature: Hex;
}

async function answered(chain: Chain, signer: Hex, data: Hex, block: Hex): Promise<Hex> {
  for (const at of [block, "latest"] as const) {
    try {
      return await chain.call(signer, data, at);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }
  return "0x";
}
