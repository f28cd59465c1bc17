import { AbiCoder } from "ethers";
import { isCertificate, isEcdsaSignedBy, openCase, type Evidence, type Hex } from "@assay/protocol";
import { RpcError } from "../rpc.ts";
import { selectorOf, type Chain } from "./chain.ts";

const IS_VALID_SIGNATURE = selectorOf("isValidSignature(bytes32,bytes)");

/**
 * Asks every member whose signature is no ECDSA signature of its own whether it is one by ERC-1271: at the block of
 * the settlement if the node still has its state, else at the latest.
 */
export async function askContracts(
  chain: Chain,
  evidence: Evidence,
): Promise<Evidence["evm"]["contractSignatures"]> {
  const { certificate, digest, history } = openCase(evidence);
  const block = history.ending?.block.hash;
  if (!isCertificate(certificate) || digest === null || block === undefined) return [];
  const open = certificate.members.flatMap((signer, index) => {
    const signature = certificate.signatures[index] ?? "0x";
    return signature === "0x" || isEcdsaSignedBy(signer, digest, signature) ? [] : [{ signer, signature }];
  });
  return Promise.all(
    open.map(async ({ signer, signature }) => {
      const data = (IS_VALID_SIGNATURE +
        AbiCoder.defaultAbiCoder().encode(["bytes32", "bytes"], [digest, signature]).slice(2)) as Hex;
      const answer = await answered(chain, signer, data, block);
      return { signer, digest, signature, valid: answer.startsWith(IS_VALID_SIGNATURE) };
    }),
  );
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
