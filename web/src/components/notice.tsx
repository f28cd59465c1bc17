import type { ReactNode } from "react";
import type { Tone } from "./badge.tsx";

/** Something that whoever looks at the page has to know: what is the matter, and what to do next. */
export function Notice({
  tone = "info",
  title,
  children,
  actions,
  isUrgent = false,
}: {
  readonly tone?: Tone;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Read out as soon as it appears. */
  readonly isUrgent?: boolean;
}) {
  return (
    <div className={`notice ${tone}`} role={isUrgent ? "alert" : "status"}>
      <p className="notice-title">{title}</p>
      {children !== undefined && <div className="notice-body">{children}</div>}
      {actions !== undefined && <div className="row no-print">{actions}</div>}
    </div>
  );
}
