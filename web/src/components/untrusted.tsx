import { useMemo, useState } from "react";
import { printable, printableLines, shortened } from "@assay/protocol";
import { Button } from "./button.tsx";
import { excerptOf, piecesOf, webLink } from "./safe-text.ts";

/** A stranger's text on one line: never markup, its direction kept to itself, invisible characters written out. */
export function Text({ children, most }: { readonly children: string; readonly most?: number }) {
  return (
    <bdi className="untrusted">{most === undefined ? printable(children) : shortened(children, most)}</bdi>
  );
}

/** A stranger's text of many lines. What is long is cut, and can be shown in whole. */
export function LongText({ children, what }: { readonly children: string; readonly what: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const excerpt = excerptOf(children);
  const pieces = useMemo(
    () => piecesOf(printableLines(isWhole ? children : excerpt.text)),
    [isWhole, children, excerpt.text],
  );
  return (
    <div className="long-text">
      <pre className="untrusted" dir="auto" tabIndex={0} aria-label={what} role="region">
        {pieces.map(({ text, lines }, index) => (
          <div
            key={index}
            className={pieces.length > 1 ? "piece" : undefined}
            style={{ "--lines": lines } as React.CSSProperties}
          >
            {text === "" ? "\n" : text}
          </div>
        ))}
      </pre>
      {excerpt.left !== null && (
        <Button kind="quiet" onClick={() => setIsWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? "Show less" : `Show all of it (${excerpt.left} more)`}
        </Button>
      )}
    </div>
  );
}

/** A stranger's link: a link when it is one into the web, else text. It tells nobody where the reader came from. */
export function WebLink({ href }: { readonly href: string }) {
  const url = webLink(href);
  const shown = <bdi className="untrusted">{printable(href)}</bdi>;
  return url === null ? (
    <span title="This is no web address, so it is not a link.">{shown}</span>
  ) : (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
