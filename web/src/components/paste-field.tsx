import { Field } from "./field.tsx";

/** A field for a text that another tool or person made, such as a signature. */
export function PasteField({
  label,
  hint,
  error = null,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | null;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
        <textarea
          {...control}
          className="code"
          rows={3}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
