import type { ReactNode } from "react";
import { Link } from "wouter";

/** The escrow's books in four figures; an ellipsis for each that is not known yet. */
export function Figures({
  live = "…",
  locked = "…",
  funded = "…",
  agreements = "…",
  solvent = "…",
}: {
  /** How many agreements are live. */
  readonly live?: ReactNode;
  readonly locked?: ReactNode;
  readonly funded?: ReactNode;
  readonly agreements?: ReactNode;
  readonly solvent?: ReactNode;
}) {
  return (
    <section aria-label="The escrow now" className="stack">
      <dl className="figures">
        <div>
          <dt>locked in {live} live agreements</dt>
          <dd>{locked}</dd>
        </div>
        <div>
          <dt>paid in, ever</dt>
          <dd>{funded}</dd>
        </div>
        <div>
          <dt>agreements</dt>
          <dd>{agreements}</dd>
        </div>
        <div>
          <dt>
            <Link href="/totals">holds what it owes</Link>
          </dt>
          <dd>{solvent}</dd>
        </div>
      </dl>
    </section>
  );
}
