import { useId, type ReactNode } from "react";

/** What a control has to carry so that its label, hint and error belong to it. */
export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
}

/** A control with its label, a hint, and what is wrong with what it holds. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  /** One sentence; null or left out when nothing is wrong. */
  readonly error?: string | null;
  readonly children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const hasError = error != null;
  const described = [hint === undefined ? [] : `${id}-hint`, hasError ? `${id}-error` : []].flat();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": hasError ? true : undefined,
      })}
      {hasError && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
