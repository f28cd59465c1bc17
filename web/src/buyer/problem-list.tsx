import { Notice } from "../components/notice.tsx";
import type { Problem } from "./compose.ts";

/** Everything that is wrong, each with a way to its field. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <Notice
      tone="fail"
      title={`${problems.length} ${problems.length === 1 ? "thing" : "things"} to correct`}
      isUrgent
    >
      <ul>
        {problems.map(({ field, message, hint }, index) => (
          <li key={index}>
            <button type="button" className="link" onClick={() => goTo(field)}>
              {nameOf(field)}
            </button>
            : {message} {hint}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  title: "Title",
  task: "Task",
  category: "Category",
  seller: "Seller",
  reward: "Reward",
  deliverBy: "Deliver by",
  adjudicateBy: "Verdict by",
  sellerShare: "Seller’s share",
  rounds: "Rounds",
  minValidators: "Fewest validators",
  sellerSignature: "The seller’s signature",
  requirements: "Requirements",
  buyer: "You",
  "": "The whole",
};

/** A field's name as the form has it. */
function nameOf(field: string): string {
  const [, list, index, rest] = /^(\w+)\[(\d+)\](?:\.(.*))?$/.exec(field) ?? [];
  if (list === undefined) return NAMES[field] ?? field;
  const one =
    { requirements: "Requirement", evidenceRequired: "Evidence", reporters: "Reporter" }[list] ?? list;
  return `${one} ${Number(index) + 1}${rest === undefined ? "" : `, ${rest.replace("check.", "")}`}`;
}

/** Moves to the field, or to the nearest thing around it. */
function goTo(field: string): void {
  const target =
    document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`) ??
    document.querySelector<HTMLElement>(`[data-field^="${CSS.escape(field)}"]`);
  const around = target?.closest("details");
  if (around) around.open = true;
  target?.focus();
  target?.scrollIntoView({ block: "center" });
}
