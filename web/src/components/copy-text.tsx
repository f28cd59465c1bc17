import { Copy } from "./copy.tsx";

/** A text that is carried elsewhere: shown as it is, with a button that copies all of it. */
export function CopyText({
  text,
  label,
  what,
}: {
  readonly text: string;
  /** Its name as a part of the page. */
  readonly label: string;
  /** What the button says that it copies. */
  readonly what: string;
}) {
  return (
    <div className="copy-text">
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <Copy text={text} what={what} />
    </div>
  );
}
