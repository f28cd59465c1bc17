import { PEERS, STEPS, inWords, type Step } from "./peers.ts";

/** Gas by operation. */
type Report = Readonly<Record<string, number>>;

const NONE = "–";

const grouped = (gas: number): string => gas.toLocaleString("en-US");

/** What our operations of a step take. */
function oursIn(step: Step, report: Report): string {
  if (step.note !== undefined) return step.note;
  return step.ours
    .map(({ operation, what }) => `${grouped(report[operation] ?? 0)}${what === undefined ? "" : ` ${what}`}`)
    .join("; ");
}

const peersIn = (step: Step): string[] =>
  PEERS.map((peer) => step.peers[peer]?.map(inWords).join("; ") ?? NONE);

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Our operations and their bounds, in Markdown. */
export function measuredTable(report: Report, bars: Readonly<Record<string, number | undefined>>): string {
  return [
    row(["operation", "measured by us", "at most"]),
    "|---|---:|---:|",
    ...Object.entries(report).map(([operation, gas]) => {
      const bar = bars[operation];
      return row([`\`${operation}\``, grouped(gas), bar === undefined ? NONE : grouped(bar)]);
    }),
  ].join("\n");
}

/** The steps of an agreement's life, ours beside those of others, in Markdown. */
export function peersTable(report: Report): string {
  return [
    row(["step", "ours, measured by us", ...PEERS]),
    `|---|---:|${PEERS.map(() => "---:").join("|")}|`,
    ...STEPS.map((step) => row([step.name, oursIn(step, report), ...peersIn(step)])),
  ].join("\n");
}

/** The same for a terminal. */
export function peersText(report: Report): string {
  return STEPS.map((step) => {
    const lines = peersIn(step)
      .map((figures, place) => [PEERS[place] ?? "", figures] as const)
      .filter(([, figures]) => figures !== NONE)
      .map(([peer, figures]) => `  ${peer.padEnd(24)} ${figures}`);
    return [`${step.name}: ours ${oursIn(step, report)}`, ...lines].join("\n");
  }).join("\n");
}

/** A page with a part exchanged: what stands between `<!-- name -->` and `<!-- /name -->`. */
export function replacePart(page: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the page has no part between ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${part}\n\n${page.slice(to)}`;
}
