import type { SubmissionKey } from "../store/index.ts";

/** Who is at work in each lane, and who stands in line for it, in the order in which they came. */
export interface Queues {
  /** Goes into the lane, or stands in line; `full`: neither, there is no room. */
  enter(lane: string, key: SubmissionKey): "entered" | "inLine" | "full";
  leave(lane: string): void;
  /** Who has stood in line for longest, and no longer does; null when the lane is full or nobody waits. */
  next(lane: string): SubmissionKey | null;
  isInLine(key: SubmissionKey): boolean;
  /** Sends everybody away who stands in line. Returns who that was. */
  empty(): readonly SubmissionKey[];
}

/**
 * @param places in one lane.
 * @param room in the line of one lane.
 */
export function createQueues(places: number, room: number): Queues {
  const entered = new Map<string, number>();
  const lines = new Map<string, Map<string, SubmissionKey>>();

  function lineOf(lane: string): Map<string, SubmissionKey> {
    const line = lines.get(lane) ?? new Map<string, SubmissionKey>();
    lines.set(lane, line);
    return line;
  }

  return {
    enter(lane, key) {
      const inside = entered.get(lane) ?? 0;
      if (inside < places) {
        entered.set(lane, inside + 1);
        return "entered";
      }
      const line = lineOf(lane);
      if (line.size >= room) return "full";
      line.set(nameOf(key), key);
      return "inLine";
    },
    leave(lane) {
      entered.set(lane, (entered.get(lane) ?? 1) - 1);
    },
    next(lane) {
      if ((entered.get(lane) ?? 0) >= places) return null;
      const line = lineOf(lane);
      for (const [name, key] of line) {
        line.delete(name);
        return key;
      }
      return null;
    },
    isInLine: (key) => [...lines.values()].some((line) => line.has(nameOf(key))),
    empty() {
      const all = [...lines.values()].flatMap((line) => [...line.values()]);
      lines.clear();
      return all;
    },
  };
}

function nameOf({ agreementId, submissionHash }: SubmissionKey): string {
  return `${agreementId} ${submissionHash}`;
}
