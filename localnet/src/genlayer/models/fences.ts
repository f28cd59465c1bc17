const BEGIN = /^BEGIN-UNTRUSTED ([0-9a-f]{32})$/;

/** The lines of JSON that stand inside the fences of a contract's prompt, in order. */
export function fencedLines(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = BEGIN.exec(lines[at] ?? "")?.[1];
    if (fence !== undefined && lines[at + 2] === `END-UNTRUSTED ${fence}`) {
      found.push(lines[at + 1] ?? "");
      at += 2;
    }
  }
  return found;
}
