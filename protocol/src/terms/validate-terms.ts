import { type Address, ZERO_ADDRESS, isSameAddress, toAddress } from "../primitives/address.ts";
import { ZERO_HASH, isHash } from "../primitives/hex.ts";
import type { Terms } from "./terms.ts";
import { WINDOWS } from "./windows.ts";

const MAX_UINT256 = 2n ** 256n - 1n;
const MAX_UINT48 = 2 ** 48 - 1;
const ALL_BASIS_POINTS = 10_000;

/** One reason why the escrow would refuse terms, or why nobody should sign them. */
export interface TermsProblem {
  readonly member: keyof Terms;
  readonly code: "malformed" | "out_of_range" | "zero" | "same_address" | "too_early" | "too_late";
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** Addresses that terms do not carry but must keep apart from. */
export interface TermsSurroundings {
  readonly escrow?: Address;
  readonly token?: Address;
}

/**
 * Everything that is wrong with terms; empty when the escrow would take them.
 *
 * @param now Unix time in seconds at which they are to be funded; without it only the window between the two
 * deadlines is examined.
 * @param surroundings escrow and token, which no party may be.
 */
export function validateTerms(
  terms: Terms,
  now?: number,
  surroundings: TermsSurroundings = {},
): readonly TermsProblem[] {
  return [
    ...addressProblems(terms, surroundings),
    ...hashProblems(terms),
    ...amountProblems(terms),
    ...timeProblems(terms, now),
  ];
}

function addressProblems(terms: Terms, surroundings: TermsSurroundings): TermsProblem[] {
  const problems: TermsProblem[] = [];
  const taken: [name: string, address: Address][] = [];
  for (const name of ["escrow", "token"] as const) {
    const address = surroundings[name];
    if (address !== undefined) taken.push([name, address]);
  }
  for (const member of ["buyer", "seller", "adjudicator"] as const) {
    const address = terms[member];
    const problem = addressProblem(member, address);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    const [other] = taken.find(([, earlier]) => isSameAddress(earlier, address)) ?? [];
    if (other !== undefined) {
      problems.push({
        member,
        code: "same_address",
        message: `${member} is the ${other}`,
        hint: "Buyer, seller, adjudicator, token and escrow are five different addresses.",
      });
    }
    taken.push([member, address]);
  }
  return problems;
}

function addressProblem(member: keyof Terms, address: Address): TermsProblem | undefined {
  try {
    if (toAddress(address) !== ZERO_ADDRESS) return undefined;
    return { member, code: "zero", message: `${member} is the zero address`, hint: "Name a real account." };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      member,
      code: "malformed",
      message: `${member}: ${error.message}`,
      hint: "Write the address in EIP-55 spelling.",
    };
  }
}

function hashProblems(terms: Terms): TermsProblem[] {
  return (["agreementHash", "adjudicatorConfig"] as const).flatMap((member): TermsProblem[] => {
    if (!isHash(terms[member])) {
      return [
        {
          member,
          code: "malformed",
          message: `${member} is not a 32-byte hash`,
          hint: "Write 0x followed by 64 lower-case hexadecimal digits.",
        },
      ];
    }
    return terms[member] === ZERO_HASH
      ? [
          {
            member,
            code: "zero",
            message: `${member} is zero`,
            hint: "Nothing hashes to zero; compute it from what it stands for.",
          },
        ]
      : [];
  });
}

function amountProblems(terms: Terms): TermsProblem[] {
  const problems: TermsProblem[] = [];
  if (terms.reward <= 0n || terms.reward > MAX_UINT256) {
    problems.push({
      member: "reward",
      code: terms.reward === 0n ? "zero" : "out_of_range",
      message: `reward is ${terms.reward}`,
      hint: "Offer at least one base unit of the token.",
    });
  }
  if (terms.salt < 0n || terms.salt > MAX_UINT256) {
    problems.push({
      member: "salt",
      code: "out_of_range",
      message: `salt is ${terms.salt}`,
      hint: "Take 32 random bytes.",
    });
  }
  if (!isIntegerWithin(terms.noVerdictSellerBps, 0, ALL_BASIS_POINTS)) {
    problems.push({
      member: "noVerdictSellerBps",
      code: "out_of_range",
      message: `noVerdictSellerBps is ${terms.noVerdictSellerBps}`,
      hint: `Give 0 to ${ALL_BASIS_POINTS} basis points.`,
    });
  }
  return problems;
}

function timeProblems(terms: Terms, now: number | undefined): TermsProblem[] {
  const malformed = (["deliverBy", "adjudicateBy"] as const)
    .filter((member) => !isIntegerWithin(terms[member], 0, MAX_UINT48))
    .map((member): TermsProblem => ({
      member,
      code: "out_of_range",
      message: `${member} is ${terms[member]}`,
      hint: "Give Unix time in whole seconds.",
    }));
  if (malformed.length > 0) return malformed;
  const adjudication = windowProblem(
    "adjudicateBy",
    terms.adjudicateBy,
    "deliverBy",
    terms.deliverBy,
    WINDOWS.adjudication,
  );
  const delivery =
    now === undefined ? [] : windowProblem("deliverBy", terms.deliverBy, "funding", now, WINDOWS.delivery);
  return [...delivery, ...adjudication];
}

function windowProblem(
  member: "deliverBy" | "adjudicateBy",
  end: number,
  startName: string,
  start: number,
  window: { readonly min: number; readonly max: number },
): TermsProblem[] {
  const length = end - start;
  if (length >= window.min && length <= window.max) return [];
  return [
    {
      member,
      code: length < window.min ? "too_early" : "too_late",
      message: `${member} is ${length} s after ${startName}`,
      hint: `Set it ${window.min} to ${window.max} seconds after ${startName}.`,
    },
  ];
}

function isIntegerWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
