import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Text } from "../components/untrusted.tsx";
import type { DeliveryDraft } from "./delivery.ts";

/** What the seller shows for the claims of a delivery, beside what the agreement asks for. */
export function EvidenceFields({
  evidence,
  asked,
  onChange,
}: {
  readonly evidence: DeliveryDraft["evidence"];
  readonly asked: readonly string[];
  readonly onChange: (evidence: DeliveryDraft["evidence"]) => void;
}) {
  const put = (index: number, over: Partial<DeliveryDraft["evidence"][number]>): void =>
    onChange(evidence.map((one, at) => (at === index ? { ...one, ...over } : one)));
  const field = (index: number, name: "source" | "claim" | "content", label: string, lines?: number) => (
    <Field label={label}>
      {(control) =>
        lines === undefined ? (
          <input
            {...control}
            value={evidence[index]?.[name] ?? ""}
            onChange={({ target }) => put(index, { [name]: target.value })}
          />
        ) : (
          <textarea
            {...control}
            rows={lines}
            value={evidence[index]?.[name] ?? ""}
            onChange={({ target }) => put(index, { [name]: target.value })}
          />
        )
      }
    </Field>
  );
  return (
    <fieldset className="bare stack">
      <legend>Evidence</legend>
      {asked.length > 0 && (
        <ul>
          {asked.map((text, index) => (
            <li key={index}>
              Asked for: <Text>{text}</Text>
            </li>
          ))}
        </ul>
      )}
      {evidence.map((_one, index) => (
        <div className="draft-requirement stack" key={index}>
          <div className="fields">
            {field(index, "source", `Source ${index + 1}`)}
            {field(index, "claim", `What it shows ${index + 1}`)}
          </div>
          {field(index, "content", `Content ${index + 1}`, 3)}
          <div>
            <Button kind="quiet" onClick={() => onChange(evidence.filter((_other, at) => at !== index))}>
              Remove evidence {index + 1}
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button
          disabled={evidence.length >= 20}
          onClick={() => onChange([...evidence, { source: "", claim: "", content: "" }])}
        >
          Add evidence
        </Button>
      </div>
    </fieldset>
  );
}
