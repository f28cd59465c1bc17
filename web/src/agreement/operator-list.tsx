import { printable } from "@assay/protocol";
import { Badge } from "../components/badge.tsx";
import type { OperatorReading } from "./view.ts";

/** How far each operator says that it is. */
export function OperatorList({ operators }: { readonly operators: readonly OperatorReading[] }) {
  return (
    <div className="table" role="region" aria-label="Operators" tabIndex={0}>
      <table>
        <caption>Their own word: nothing of it is needed to recompute the verdict.</caption>
        <thead>
          <tr>
            <th scope="col">Operator</th>
            <th scope="col">State</th>
            <th scope="col">Reached</th>
            <th scope="col">Signatures it holds</th>
          </tr>
        </thead>
        <tbody>
          {operators.map((reading) => (
            <Line key={reading.origin} reading={reading} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ reading }: { readonly reading: OperatorReading }) {
  const { origin } = reading;
  if ("problem" in reading)
    return (
      <tr>
        <td>{origin}</td>
        <td colSpan={3}>
          <Badge tone="warn">does not answer</Badge>{" "}
          <span className="muted small">{printable(reading.problem)}</span>
        </td>
      </tr>
    );
  const submission = reading.view?.submissions.at(-1);
  return (
    <tr>
      <td>{origin}</td>
      <td>
        {submission === undefined
          ? reading.view === null
            ? "has not seen it"
            : "nothing submitted"
          : printable(submission.state)}
        {reading.view?.ignoredReason != null && (
          <p className="small">{printable(reading.view.ignoredReason)}</p>
        )}
      </td>
      <td>{submission?.stages.findLast(({ at }) => at !== null)?.stage ?? "–"}</td>
      <td>{submission?.attestations.length ?? 0}</td>
    </tr>
  );
}
