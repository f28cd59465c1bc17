import { useState } from "react";
import { LANGUAGES, checkSchema, runCheck, type Check } from "@assay/protocol";
import { Field } from "../components/field.tsx";
import { CHECK_KINDS, checkFrom, type CheckDraft } from "./check-draft.ts";
import { TextField, useForm } from "./form.tsx";
import { Meaning } from "./meaning.tsx";

/** The fields of a check, what it means as it is being written, and a place to try it. */
export function CheckEditor({
  at,
  check,
  onChange,
}: {
  /** The field's path in the document. */
  readonly at: string;
  readonly check: CheckDraft;
  readonly onChange: (check: CheckDraft) => void;
}) {
  const { draft } = useForm();
  const kind = CHECK_KINDS.find(({ type }) => type === check.type);
  const put = (name: string, value: string): void =>
    onChange({ ...check, fields: { ...check.fields, [name]: value } });
  const parsed = checkSchema.safeParse(checkFrom(check));
  return (
    <>
      {(kind?.fields.length ?? 0) > 0 && (
        <div className="fields">
          {kind?.fields.map(({ name, label, hint, isOptional }) =>
            name === "language" || name === "reporter" ? (
              <Choice
                key={name}
                label={label}
                hint={hint}
                value={check.fields[name] ?? ""}
                options={name === "language" ? LANGUAGES : draft.reporters.map(({ id }) => id)}
                field={`${at}.${name}`}
                onChange={(value) => put(name, value)}
              />
            ) : (
              <TextField
                key={name}
                field={`${at}.${name}`}
                label={isOptional ? `${label} (optional)` : label}
                hint={hint}
                value={check.fields[name] ?? ""}
                spellCheck={false}
                className="code"
                onChange={(value) => put(name, value)}
              />
            ),
          )}
        </div>
      )}
      {parsed.success ? (
        <>
          <Meaning check={parsed.data} />
          <Trial check={parsed.data} />
        </>
      ) : (
        <p className="meaning muted">Fill in the fields to see what this check means.</p>
      )}
    </>
  );
}

function Choice({
  field,
  label,
  hint,
  value,
  options,
  onChange,
}: {
  readonly field: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  const { errorOf, touch } = useForm();
  return (
    <Field label={label} hint={hint} error={errorOf(field)}>
      {(control) => (
        <select
          {...control}
          data-field={field}
          value={value}
          onBlur={() => touch(field)}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">–</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Checks that look at nothing but files can be tried on one. */
const TRIABLE: readonly Check["type"][] = ["string_present", "regex", "function_exists"];
const NOWHERE = {
  chainId: 1,
  escrow: `0x${"0".repeat(40)}`,
  agreementId: `0x${"0".repeat(64)}`,
} as const;

/** Runs the judge's own check, here, on a text that somebody pastes. */
function Trial({ check }: { readonly check: Check }) {
  const [text, setText] = useState("");
  if (!TRIABLE.includes(check.type)) return null;
  const path = trialPath(check);
  const result = text === "" ? undefined : runCheck(check, {}, { files: { [path]: text } }, NOWHERE);
  return (
    <details className="trial">
      <summary>Try it on a text</summary>
      <Field label="A file’s text" hint={`Taken for ${path}. It stays in this browser.`}>
        {(control) => (
          <textarea
            {...control}
            className="code"
            rows={4}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <p role="status" className={result === undefined ? "muted" : result.passed ? "pass" : "fail"}>
        {result === undefined
          ? "Paste something to see what the judge would find."
          : `${result.passed ? "Passes" : "Fails"}: ${result.detail}.`}
      </p>
    </details>
  );
}

const ENDINGS: Readonly<Record<string, string>> = {
  python: "py",
  typescript: "ts",
  solidity: "sol",
  rust: "rs",
  go: "go",
};

function trialPath(check: Check): string {
  const { path, language = "typescript" } = check as { path?: string; language?: string };
  return path ?? `example.${check.type === "function_exists" ? (ENDINGS[language] ?? "ts") : "txt"}`;
}
