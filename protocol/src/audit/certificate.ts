import { type Result, hexlify } from "ethers";
import { interfaceOf } from "../primitives/interface-of.ts";
import { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { agreementIdOf } from "../terms/agreement-id.ts";
import { type TermsStruct, termsFromEvent } from "../terms/terms-struct.ts";
import { adjudicatorConfigOf } from "../verdict/adjudicator-config.ts";
import type { Certificate } from "../verdict/delivery.ts";

/**
 * The certificates in calldata of a quorum's `deliver`, `deliverMany` or `deliverPacked`.
 *
 * @param quorum the contract that was called: a packed delivery's terms name it as their adjudicator.
 * @param chainId chain of the escrow: a packed delivery's agreement id follows from it.
 * @returns none when the calldata is of another function or not decodable.
 */
export function certificatesIn(input: Hex, quorum: Address, chainId: number): readonly Certificate[] {
  try {
    const call = interfaceOf(verdictQuorumAbi).parseTransaction({ data: input });
    switch (call?.name) {
      case "deliver":
        return [fromDelivery(call.args["delivery"] as Result)];
      case "deliverMany":
        return [...(call.args["deliveries"] as Result)].map((delivery) => fromDelivery(delivery as Result));
      case "deliverPacked":
        return [unpack(call.args["packed"] as Hex, quorum, chainId)];
      default:
        return [];
    }
  } catch {
    return [];
  }
}

/** First bytes of the functions that take certificates, as they stand in calldata. */
const selectors = (): readonly string[] =>
  ["deliver", "deliverMany", "deliverPacked"].map(
    (name) => interfaceOf(verdictQuorumAbi).getFunction(name)?.selector.slice(2) ?? "",
  );

/**
 * The certificates in calls to the quorum that another call carries inside: a batch, a smart account, a multisig.
 * Whatever looks like one is returned; what it is worth, its signatures say.
 */
export function certificatesWithin(input: Hex, quorum: Address, chainId: number): readonly Certificate[] {
  return selectors().flatMap((selector) => {
    const found: Certificate[] = [];
    for (let at = input.indexOf(selector, 2); at >= 0; at = input.indexOf(selector, at + 1))
      if (at % 2 === 0) found.push(...certificatesIn(`0x${input.slice(at)}`, quorum, chainId));
    return found;
  });
}

function fromDelivery(delivery: Result): Certificate {
  const verdict = delivery["verdict"] as Result;
  const quorum = delivery["quorum"] as Result;
  return {
    terms: termsFromEvent(delivery["terms"] as TermsStruct),
    verdict: {
      escrow: toAddress(verdict["escrow"] as string),
      agreementId: toHash(verdict["agreementId"] as string),
      submissionHash: toHash(verdict["submissionHash"] as string),
      outcome: Number(verdict["outcome"]),
      verdictHash: toHash(verdict["verdictHash"] as string),
      judge: toAddress(verdict["judge"] as string),
      judgeTx: toHash(verdict["judgeTx"] as string),
      notAfter: Number(verdict["notAfter"]),
    },
    members: [...(quorum["members"] as Result)].map((member) => toAddress(member as string)),
    threshold: Number(quorum["threshold"]),
    signatures: [...(delivery["signatures"] as Result)].map(
      (signature) => hexlify(signature as string) as Hex,
    ),
  };
}

/** Reads big-endian fields one after the other. */
class Cursor {
  readonly #bytes: Hex;
  #offset = 0;

  constructor(bytes: Hex) {
    this.#bytes = bytes;
  }

  take(size: number): Hex {
    const from = 2 + 2 * this.#offset;
    const digits = this.#bytes.slice(from, from + 2 * size);
    if (digits.length < 2 * size) throw new RangeError("the packed delivery ends too early");
    this.#offset += size;
    return `0x${digits}`;
  }

  integer(size: number): number {
    return Number(this.take(size));
  }

  address(): Address {
    return toAddress(this.take(20));
  }
}

function unpack(packed: Hex, quorum: Address, chainId: number): Certificate {
  const cursor = new Cursor(packed);
  const escrow = cursor.address();
  const given = {
    buyer: cursor.address(),
    seller: cursor.address(),
    reward: BigInt(cursor.take(16)),
    agreementHash: cursor.take(32),
    deliverBy: cursor.integer(6),
    adjudicateBy: cursor.integer(6),
    noVerdictSellerBps: cursor.integer(2),
    salt: BigInt(cursor.take(32)),
  };
  const judged = {
    submissionHash: cursor.take(32),
    outcome: cursor.integer(1),
    verdictHash: cursor.take(32),
    judge: cursor.address(),
    judgeTx: cursor.take(32),
  };
  const threshold = cursor.integer(1);
  const count = cursor.integer(1);
  const members = Array.from({ length: count }, () => cursor.address());
  const signatures = members.map(() => {
    const size = cursor.integer(1);
    return size === 0 ? "0x" : cursor.take(size);
  });
  const terms = { ...given, adjudicator: quorum, adjudicatorConfig: adjudicatorConfigOf(members, threshold) };
  return {
    terms,
    verdict: {
      escrow,
      agreementId: agreementIdOf(terms, chainId, escrow),
      ...judged,
      notAfter: terms.adjudicateBy,
    },
    members,
    threshold,
    signatures,
  };
}
