/** Bits of the salts that {@link newSalt} draws. */
export const SALT_BITS = 64;

/**
 * A salt for new terms: 64 bits from the system's random source.
 *
 * An agreement's id covers all of its terms, so a salt has to tell apart only terms that are otherwise equal to the
 * last field, clocks included. A million of those share a salt with a chance of 3 in 100 million, and then the second
 * is refused at funding, before any money moves. A wider salt would be paid for by everyone who sends the terms.
 */
export function newSalt(): bigint {
  const [salt] = crypto.getRandomValues(new BigUint64Array(1));
  return salt as bigint;
}
