import { outcomeForRole, RESPONSIBILITY_VERDICTS, ROLES, type JointPlan, type Role } from "@assay/protocol";
import { Badge, type Tone } from "../components/badge.tsx";
import { VERDICTS_IN_WORDS, type Responsibility } from "./decision.ts";

const TONES: Readonly<Record<ReturnType<typeof outcomeForRole>, Tone>> = {
  PASS: "pass",
  FAIL: "fail",
  UNDETERMINED: "warn",
};

/** The five verdicts that a workflow may come to, what each means for either agent, and which one it was. */
export function VerdictTable({
  plan,
  role,
  responsibility,
}: {
  readonly plan: JointPlan;
  readonly role: Role | null;
  /** Null as long as none is known. */
  readonly responsibility: Responsibility | null;
}) {
  const caption = "Verdicts on who was at fault, and what each means";
  return (
    <div className="table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            {ROLES.map((one) => (
              <th scope="col" key={one}>
                Agent {one}
                {one === role && " (this agreement)"}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {RESPONSIBILITY_VERDICTS.map((verdict) => {
            const isFound = responsibility?.verdict === verdict;
            return (
              <tr key={verdict} data-verdict={verdict} aria-current={isFound ? "true" : undefined}>
                <th scope="row">
                  <code>{verdict}</code> {isFound && <Badge tone="info">the verdict</Badge>}
                  <p className="muted small">{VERDICTS_IN_WORDS[verdict]}</p>
                </th>
                {ROLES.map((one) => {
                  const outcome = outcomeForRole(verdict, one);
                  return (
                    <td key={one}>
                      <Badge tone={TONES[outcome]}>{outcome}</Badge>
                      <p className="muted small">{meaning(outcome, plan, one)}</p>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function meaning(outcome: ReturnType<typeof outcomeForRole>, { sides }: JointPlan, role: Role): string {
  if (outcome === "PASS") return "has the whole reward";
  if (outcome === "FAIL") return "gets nothing; its buyer is refunded";
  return `gets ${sides[role].terms.noVerdictSellerBps / 100}%; its buyer has the rest back`;
}
