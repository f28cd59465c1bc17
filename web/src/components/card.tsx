import { useId, type ReactNode } from "react";

/** A part of a page under a heading. */
export function Card({
  title,
  aside,
  children,
  id,
}: {
  readonly title: string;
  /** Beside the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** For links into the page. */
  readonly id?: string;
}) {
  const heading = useId();
  return (
    <section className="card" aria-labelledby={heading} id={id}>
      <div className="card-head">
        <h2 id={heading}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
