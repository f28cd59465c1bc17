import { SigningKey, sha256, toUtf8Bytes } from "ethers";
import { canonicalize } from "@assay/protocol";
import type { Key } from "../config/index.ts";

/** A detached JSON Web Signature (RFC 7515): the payload is the document that it stands in. */
export interface DetachedJws {
  /** Base64url of the protected header. */
  readonly protected: string;
  readonly signature: string;
}

/**
 * Signs a JSON value by its canonical bytes (RFC 8785), with ES256K (RFC 8812). The header carries the public key, whose
 * Ethereum address is what agreements know the signer by.
 *
 * No such signature can stand for a certificate: those are over Keccak-256 of EIP-712 data, this is over SHA-256 of
 * base64url text.
 *
 * @param kid name of the key, a CAIP-10 id.
 */
export function signJws(key: Key, kid: string, payload: Readonly<Record<string, unknown>>): DetachedJws {
  const signer = new SigningKey(key.privateKey.reveal());
  const point = signer.publicKey.slice(4);
  const coordinate = (from: number) => base64url(Buffer.from(point.slice(from, from + 64), "hex"));
  const header = base64url(
    toUtf8Bytes(
      canonicalize({
        alg: "ES256K",
        typ: "JOSE",
        kid,
        jwk: { kty: "EC", crv: "secp256k1", x: coordinate(0), y: coordinate(64) },
      }),
    ),
  );
  const input = `${header}.${base64url(toUtf8Bytes(canonicalize(payload)))}`;
  const { r, s } = signer.sign(sha256(toUtf8Bytes(input)));
  return {
    protected: header,
    signature: base64url(Buffer.from(r.slice(2) + s.slice(2), "hex")),
  };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
