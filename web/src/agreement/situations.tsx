import { Notice } from "../components/notice.tsx";
import { printable } from "@assay/protocol";
import { situationsOf } from "./situation.ts";
import type { AgreementView } from "./view.ts";

/** What whoever looks at the agreement has to know, and do next. */
export function Situations({ view }: { readonly view: AgreementView }) {
  const situations = situationsOf(view);
  if (situations.length === 0) return null;
  return (
    <div className="stack">
      {situations.map(({ name, tone, title, meaning, next }) => (
        <div key={name} data-situation={name}>
          <Notice tone={tone} title={title}>
            <p>{printable(meaning)}</p>
            <p>
              <strong>Next:</strong> {next}
            </p>
          </Notice>
        </div>
      ))}
    </div>
  );
}
