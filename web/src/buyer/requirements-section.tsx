import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Field } from "../components/field.tsx";
import { CHECK_KINDS, type CheckDraft } from "./check-draft.ts";
import { CheckEditor } from "./check-editor.tsx";
import { nextRequirementId, type RequirementDraft } from "./draft.ts";
import { TextField, useForm } from "./form.tsx";
import { Meaning } from "./meaning.tsx";

const MOST = 30;

/** What the delivery has to satisfy, one by one. */
export function RequirementsSection() {
  const { draft, change, errorOf } = useForm();
  const { requirements } = draft;
  const error = errorOf("requirements");
  const put = (index: number, over: Partial<RequirementDraft>): void =>
    change({ requirements: requirements.map((one, at) => (at === index ? { ...one, ...over } : one)) });
  const remove = (index: number): void =>
    change({ requirements: requirements.filter((_one, at) => at !== index) });
  const add = (): void =>
    change({
      requirements: [...requirements, { id: nextRequirementId(requirements), text: "", check: null }],
    });
  return (
    <Card title="Requirements" aside={<span className="muted small">All have to pass.</span>}>
      <p className="muted prose">
        Code can decide what code can see: a file, a text, a function. Everything else is judged by the
        validators’ models. A requirement that code finds failed fails the delivery, whatever models think.
      </p>
      {error !== null && <p className="error">{error}</p>}
      <ol className="draft-requirements">
        {requirements.map((requirement, index) => (
          <li key={index}>
            <RequirementEditor
              index={index}
              requirement={requirement}
              onChange={(over) => put(index, over)}
              onRemove={requirements.length > 1 ? () => remove(index) : null}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={add} disabled={requirements.length >= MOST} data-field="requirements">
          Add a requirement
        </Button>
        {requirements.length >= MOST && <span className="muted small"> 30 are the most.</span>}
      </div>
    </Card>
  );
}

function RequirementEditor({
  index,
  requirement,
  onChange,
  onRemove,
}: {
  readonly index: number;
  readonly requirement: RequirementDraft;
  readonly onChange: (over: Partial<RequirementDraft>) => void;
  readonly onRemove: (() => void) | null;
}) {
  const { draft } = useForm();
  const at = `requirements[${index}]`;
  const name = requirement.id === "" ? `requirement ${index + 1}` : requirement.id;
  const kinds = CHECK_KINDS.filter(({ type }) => type !== "execution_proof" || draft.execution !== null);
  const choose = (type: string): void => {
    const kind = CHECK_KINDS.find((one) => one.type === type);
    // A path that was written for one check is usually meant for the next one too.
    const path = requirement.check?.fields["path"];
    const fields = path === undefined ? {} : { path };
    onChange({ check: kind === undefined ? null : ({ type: kind.type, fields } satisfies CheckDraft) });
  };
  return (
    <fieldset className="draft-requirement stack">
      <legend className="sr-only">{name}</legend>
      <div className="requirement-head">
        <TextField
          field={`${at}.id`}
          label="Name"
          value={requirement.id}
          spellCheck={false}
          onChange={(id) => onChange({ id })}
        />
        {onRemove !== null && (
          <Button kind="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <TextField
        field={`${at}.text`}
        label="What has to be so"
        value={requirement.text}
        lines={2}
        onChange={(text) => onChange({ text })}
      />
      <Field label="Who decides it">
        {(control) => (
          <select
            {...control}
            value={requirement.check?.type ?? ""}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">The validators’ models</option>
            <optgroup label="Code, when …">
              {kinds.map(({ type, label }) => (
                <option key={type} value={type}>
                  {label}
                </option>
              ))}
            </optgroup>
          </select>
        )}
      </Field>
      {requirement.check === null ? (
        <>
          <Meaning check={undefined} />
          <p className="muted small">Write it so that two strangers would judge alike.</p>
        </>
      ) : (
        <CheckEditor at={`${at}.check`} check={requirement.check} onChange={(check) => onChange({ check })} />
      )}
    </fieldset>
  );
}
