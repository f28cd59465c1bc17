import type { ReactNode } from "react";
import { Copy } from "./copy.tsx";

/** Hexadecimal digits shown at either end of a shortened hash. */
const ENDS = 6;

/** A hash that can be copied; shortened unless `whole`, with the whole of it in its title and on paper. */
export function Hash({
  value,
  what = "hash",
  whole = false,
  wrap = (shown) => shown,
}: {
  readonly value: string;
  /** What it is, for those who can't see where it stands. */
  readonly what?: string;
  readonly whole?: boolean;
  /** Puts a link around what is shown. */
  readonly wrap?: (shown: ReactNode) => ReactNode;
}) {
  const short = `${value.slice(0, 2 + ENDS)}…${value.slice(-ENDS)}`;
  const isShort = !whole && value.length > short.length + 4;
  return (
    <span className={whole ? "hash hash-whole" : "hash"}>
      {wrap(
        <code title={isShort ? value : undefined}>
          {isShort ? (
            <>
              <span className="short" aria-hidden="true">
                {short}
              </span>
              <span className="whole sr-only">{value}</span>
            </>
          ) : (
            value
          )}
        </code>,
      )}
      <Copy text={value} what={what} />
    </span>
  );
}
