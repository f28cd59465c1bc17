import { checkInWords, type Agreement } from "@assay/protocol";
import { Badge, type Tone } from "../components/badge.tsx";
import { Text } from "../components/untrusted.tsx";
import { resultsOf, type Decision } from "./results.ts";
import type { AgreementView } from "./view.ts";

const TONES: Readonly<Record<string, Tone>> = { PASS: "pass", FAIL: "fail" };

/** Every requirement, what decides it, and what was decided. */
export function RequirementList({
  view,
  agreement,
}: {
  readonly view: AgreementView;
  readonly agreement: Agreement;
}) {
  const { results, toldBy } = resultsOf(view);
  return (
    <div className="stack">
      <p>
        All of them have to be met. {toldBy !== null && results.size > 0 && <>The results are {toldBy}.</>}
      </p>
      <ol className="requirements">
        {agreement.requirements.map(({ id, text, check }) => (
          <li key={id}>
            <div className="row">
              <code>{id}</code>
              <Result result={results.get(id)} />
              {check === undefined ? (
                <Badge tone="hold">judged by models</Badge>
              ) : (
                <Badge tone="neutral">decided by code</Badge>
              )}
            </div>
            <p>
              <Text>{text}</Text>
            </p>
            <p className="muted small">It {trimmed(checkInWords(check))}.</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Result({ result }: { readonly result: Decision | undefined }) {
  if (result === undefined) return null;
  return <Badge tone={TONES[result.result] ?? "warn"}>{result.result}</Badge>;
}

function trimmed(words: string): string {
  return words.startsWith("judged") ? `is ${words}` : words;
}
