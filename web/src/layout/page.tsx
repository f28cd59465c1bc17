import { useEffect, useRef, type ReactNode } from "react";

let isFirst = true;

/** A page with its one heading. Going to it moves the focus to the heading, as loading a document would. */
export function Page({
  title,
  heading = title,
  lead,
  children,
}: {
  /** For the browser's tab. */
  readonly title: string;
  readonly heading?: ReactNode;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  const shown = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === "Assay" ? title : `${title} · Assay`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) {
      window.scrollTo({ top: 0, behavior: "instant" });
      shown.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, []);
  return (
    <div className="stack-loose">
      <header className="stack page-head">
        <h1 ref={shown} tabIndex={-1}>
          {heading}
        </h1>
        {lead}
      </header>
      {children}
    </div>
  );
}
