/** Rows of cells as lines of text: columns as wide as their widest cell, two blanks between them. */
export function table(rows: readonly (readonly string[])[], indent = 0): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((row) =>
    (
      " ".repeat(indent) + row.map((cell, column) => cell.padEnd((widths[column] ?? 0) + 2)).join("")
    ).trimEnd(),
  );
}
