import type { Execution, ExecutionReport } from "@assay/protocol";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { Step } from "../components/step.tsx";
import { Text } from "../components/untrusted.tsx";

/** Proof of execution: the committed calls, and the walk along them replayed link by link. */
export function ExecutionCard({
  execution,
  report,
}: {
  readonly execution: Execution | undefined;
  /** Null while nobody has handed in a walk. */
  readonly report: ExecutionReport | null;
}) {
  return (
    <Card title="Proof of execution" id="execution">
      <p className="prose">
        The agreement commits to a sequence of HTTP calls before anybody makes them. The recorder stamps each
        call; the stamps form a chain of hashes whose end it signs. Whoever has the records can replay it, as
        is done here. It proves order and bytes, not that the answers were right.
      </p>
      {report === null ? <Committed execution={execution} /> : <Walk report={report} />}
    </Card>
  );
}

function Committed({ execution }: { readonly execution: Execution | undefined }) {
  return (
    <>
      <p>No walk has been handed in yet. These are the calls that are committed to:</p>
      <ol>
        {execution?.steps.map(({ index, method, pathTemplate, auth }) => (
          <li key={index}>
            <code>
              {method} <Text>{pathTemplate}</Text>
            </code>{" "}
            {auth && <Badge>with credentials</Badge>}
          </li>
        ))}
      </ol>
    </>
  );
}

const LOOKS = {
  PASS: { tone: "pass", title: "The walk holds" },
  FAIL: { tone: "fail", title: "The walk does not hold" },
  INCOMPLETE: { tone: "warn", title: "Nothing is wrong, and not everything could be checked" },
} as const;

function Walk({ report }: { readonly report: ExecutionReport }) {
  const { result, passed, failed, notChecked, committedRoot, calls, steps } = report;
  const { tone, title } = LOOKS[result];
  return (
    <div className="stack" data-execution={result}>
      <Notice tone={tone} title={`${title}: ${passed} passed, ${failed} failed, ${notChecked} not checked`} />
      <div className="table" role="region" aria-label="The chain, call by call" tabIndex={0}>
        <table>
          <caption>The chain begins with the committed root and takes in one call at a time.</caption>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Call</th>
              <th scope="col">Request</th>
              <th scope="col">Response</th>
              <th scope="col">Attestation</th>
              <th scope="col">Chain after it</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>root</td>
              <td colSpan={4}>nonce and committed sequence</td>
              <td>
                {committedRoot === null ? "none" : <Hash value={committedRoot} what="committed root" />}
              </td>
            </tr>
            {calls.map(
              ({ index, method, pathTemplate, auth, requestHash, responseHash, attestation, chain }) => (
                <tr key={index}>
                  <td>{index + 1}</td>
                  <td>
                    <code>
                      {method} <Text most={60}>{pathTemplate}</Text>
                    </code>{" "}
                    {auth && <Badge>with credentials</Badge>}
                  </td>
                  {[requestHash, responseHash, attestation, chain].map((value, column) => (
                    <td key={column}>{value === null ? "missing" : <Hash value={value} />}</td>
                  ))}
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
      <ol className="steps">
        {steps.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
    </div>
  );
}
