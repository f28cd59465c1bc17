/** A place for something that is being read, as high as what will stand there. */
export function Loading({ what, lines = 3 }: { readonly what: string; readonly lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="sr-only">Reading {what} …</span>
      {Array.from({ length: lines }, (_unused, line) => (
        <span key={line} className="bar" aria-hidden="true" />
      ))}
    </div>
  );
}
