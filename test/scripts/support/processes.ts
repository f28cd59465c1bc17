import { readFileSync, readdirSync } from "node:fs";

/** Every process below one, its own left out, with its command line. */
export function descendantsOf(pid: number): Map<number, string> {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      // The second field is a name in brackets that may hold anything; the parent is the second field after it.
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended between the listing and the look.
    }
  }
  const found = new Map<number, string>();
  const visit = (parent: number): void => {
    for (const [child, itsParent] of parents) {
      if (itsParent !== parent || found.has(child)) continue;
      found.set(child, commandOf(child));
      visit(child);
    }
  };
  visit(pid);
  return found;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

/** Whether a process is there and is not a zombie that only waits to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
