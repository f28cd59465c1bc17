import { ValueError } from "./value-error.ts";

/**
 * Returns `value` as the bigint of an unsigned integer of `bits` bits.
 *
 * @param name what the value is, for the error.
 * @throws ValueError `uint_out_of_range` when it is negative, too large or no integer.
 */
export function toUint(value: number | bigint, bits: number, name: string): bigint {
  const isInteger = typeof value === "bigint" || Number.isSafeInteger(value);
  if (!isInteger || value < 0 || value >= 2n ** BigInt(bits)) {
    throw new ValueError(
      "uint_out_of_range",
      `${name} is ${value}, which is no uint${bits}`,
      `Give an integer from 0 to 2^${bits} − 1.`,
    );
  }
  return BigInt(value);
}
