import { durationInWords, timeInWords } from "@assay/protocol";
import { useNow } from "./use-now.ts";

/** A moment, in UTC and as a distance from now. */
export function Time({
  at,
  relative = true,
}: {
  /** Unix seconds. */
  readonly at: number;
  readonly relative?: boolean;
}) {
  const now = useNow();
  const words = timeInWords(at);
  const date = new Date(at * 1_000);
  const iso = Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  const distance = at >= now ? `in ${durationInWords(at - now)}` : `${durationInWords(now - at)} ago`;
  return (
    <time dateTime={iso} className="time">
      {words.replace(/:\d\d UTC$/, " UTC")}
      {relative && <span className="muted"> ({distance})</span>}
    </time>
  );
}
