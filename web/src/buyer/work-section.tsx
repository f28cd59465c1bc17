import { Card } from "../components/card.tsx";
import { Button } from "../components/button.tsx";
import { TextField, useForm } from "./form.tsx";

/** What is to be done. */
export function WorkSection() {
  const { draft, change } = useForm();
  return (
    <Card title="The work">
      <TextField
        field="title"
        label="Title"
        hint="What you would call it in a list."
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      <TextField
        field="task"
        label="Task"
        hint="Everything the seller has to know. The judge reads it too, and judges by the requirements below."
        value={draft.task}
        lines={6}
        onChange={(task) => change({ task })}
      />
      <TextField
        field="category"
        label="Category (optional)"
        hint="Reputation is counted for each. Small letters, digits and hyphens, such as typescript."
        value={draft.category}
        spellCheck={false}
        onChange={(category) => change({ category })}
      />
      <EvidenceList />
    </Card>
  );
}

function EvidenceList() {
  const { draft, change } = useForm();
  const list = draft.evidenceRequired;
  const put = (index: number, text: string): void =>
    change({ evidenceRequired: list.map((one, at) => (at === index ? text : one)) });
  return (
    <fieldset className="stack bare">
      <legend>Evidence to be delivered with it (optional)</legend>
      {list.map((text, index) => (
        <div className="with-remove" key={index}>
          <TextField
            field={`evidenceRequired[${index}]`}
            label={`Evidence ${index + 1}`}
            value={text}
            onChange={(value) => put(index, value)}
          />
          <Button
            kind="quiet"
            aria-label={`Remove evidence ${index + 1}`}
            onClick={() => change({ evidenceRequired: list.filter((_one, at) => at !== index) })}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => change({ evidenceRequired: [...list, ""] })} disabled={list.length >= 20}>
          Ask for evidence
        </Button>
      </div>
    </fieldset>
  );
}
