import type { Fees } from "./evm.ts";

/** One eighth more: nodes demand a tenth for a replacement. */
export function raised(price: bigint): bigint {
  return price + price / 8n + 1n;
}

/** Prices with the cap put on both. */
export function capped(fees: Fees, cap: bigint): Fees {
  const maxFeePerGas = smaller(fees.maxFeePerGas, cap);
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(fees.maxPriorityFeePerGas, maxFeePerGas) };
}

/**
 * Prices that replace the ones before: an eighth more or the market's, whichever is more, up to the cap. Null when the
 * cap leaves no room for what nodes demand of a replacement: the same bytes are then sent again.
 */
export function replacing(previous: Fees, market: Fees, cap: bigint): Fees | null {
  const least = raised(previous.maxFeePerGas);
  if (least > cap) return null;
  return capped(
    {
      maxFeePerGas: larger(least, market.maxFeePerGas),
      maxPriorityFeePerGas: larger(raised(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas),
    },
    cap,
  );
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
