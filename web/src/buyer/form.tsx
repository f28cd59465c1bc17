import { createContext, use, type ReactNode } from "react";
import { Field } from "../components/field.tsx";
import type { Problem } from "./compose.ts";
import type { Draft } from "./draft.ts";

/** What the parts of the form share. */
export interface Form {
  readonly draft: Draft;
  readonly change: (over: Partial<Draft>) => void;
  /** What is wrong with a field that somebody has been at; null when nothing is. */
  readonly errorOf: (field: string) => string | null;
  /** Somebody has been at the field: from now on it says what is wrong with it. */
  readonly touch: (field: string) => void;
}

export const FormContext = createContext<Form | null>(null);

/** The form around a part. */
export function useForm(): Form {
  const form = use(FormContext);
  if (form === null) throw new Error("useForm needs a FormContext above it");
  return form;
}

/** The words for a field: of several problems the first, which the others often follow from. */
export function errorAt(problems: readonly Problem[], field: string): string | null {
  const problem = problems.find((one) => one.field === field);
  return problem === undefined ? null : `${problem.message} ${problem.hint}`;
}

/** A line, or several, of text in the form. */
export function TextField({
  field,
  label,
  hint,
  value,
  onChange,
  lines,
  children,
  ...attributes
}: {
  /** As problems name it. */
  readonly field: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** More than one makes it an area. */
  readonly lines?: number;
  /** Below the input. */
  readonly children?: ReactNode;
  readonly type?: "text" | "datetime-local" | "number";
  readonly inputMode?: "text" | "decimal" | "numeric";
  readonly list?: string;
  readonly className?: string;
  readonly spellCheck?: boolean;
}) {
  const { errorOf, touch } = useForm();
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })} error={errorOf(field)}>
      {(control) => {
        const shared = {
          ...control,
          ...attributes,
          "data-field": field,
          value,
          onBlur: () => touch(field),
          autoComplete: "off",
        };
        return (
          <>
            {lines === undefined ? (
              <input {...shared} onChange={({ target }) => onChange(target.value)} />
            ) : (
              <textarea {...shared} rows={lines} onChange={({ target }) => onChange(target.value)} />
            )}
            {children}
          </>
        );
      }}
    </Field>
  );
}
