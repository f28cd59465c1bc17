import { createHash } from "node:crypto";
import { keccak256 } from "./keccak256.ts";

/**
 * The protocol's hashes written out byte by byte from their specifications (EIP-712, the ABI, design of the
 * adjudication key), sharing no code with the package: what both compute alike is what the formats say.
 */

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
const raw = (text: string): Buffer => Buffer.from(text.slice(2), "hex");
const keccakOfText = (text: string): Buffer => Buffer.from(keccak256(Buffer.from(text, "utf8")));

/** A static ABI value, left-padded to a word: an integer, an address or 32 bytes. */
export function word(value: bigint | number | string): Buffer {
  const digits = typeof value === "string" ? value.slice(2) : value.toString(16);
  return Buffer.from(digits.padStart(64, "0"), "hex");
}

export interface DomainByHand {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly address: string;
}

export function domainSeparatorByHand(domain: DomainByHand): string {
  return hex(
    keccak256(
      Buffer.concat([
        keccakOfText("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
        keccakOfText(domain.name),
        keccakOfText(domain.version),
        word(domain.chainId),
        word(domain.address),
      ]),
    ),
  );
}

/** EIP-712 digest of a struct whose members are all static. */
export function digestByHand(
  domain: DomainByHand,
  type: string,
  members: readonly (bigint | number | string)[],
): string {
  const structHash = keccak256(Buffer.concat([keccakOfText(type), ...members.map(word)]));
  return hex(
    keccak256(Buffer.concat([Buffer.from([0x19, 0x01]), raw(domainSeparatorByHand(domain)), structHash])),
  );
}

/** keccak256(abi.encode(address[], uint256)): two head words, then the array's length and its items. */
export function adjudicatorConfigByHand(members: readonly string[], threshold: number): string {
  const encoded = [word(0x40), word(threshold), word(members.length), ...members.map(word)];
  return hex(keccak256(Buffer.concat(encoded)));
}

export interface KeyFields {
  readonly chainId: number;
  readonly escrow: string;
  readonly agreementId: string;
  readonly agreementHash: string;
  readonly submissionHash: string;
}

export function adjudicationKeyPreimageByHand(fields: KeyFields): string {
  const parts = [
    Buffer.from("assay/adjudication-key/1"),
    Buffer.from(String(fields.chainId)),
    Buffer.from(fields.escrow.toLowerCase()),
    raw(fields.agreementId),
    raw(fields.agreementHash),
    raw(fields.submissionHash),
  ];
  const framed = parts.flatMap((part) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(part.length));
    return [length, part];
  });
  return hex(Buffer.concat(framed));
}

export function adjudicationKeyByHand(fields: KeyFields): string {
  return hex(
    createHash("sha256")
      .update(raw(adjudicationKeyPreimageByHand(fields)))
      .digest(),
  );
}

export function keccakByHand(text: string): string {
  return hex(keccakOfText(text));
}
