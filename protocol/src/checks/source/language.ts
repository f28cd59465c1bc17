/** Languages whose function definitions the judge recognises; `typescript` covers JavaScript. */
export const LANGUAGES = ["python", "typescript", "solidity", "rust", "go"] as const;

/** A language whose function definitions the judge recognises. */
export type Language = (typeof LANGUAGES)[number];

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...["py", "pyi"].map((extension) => [extension, "python"] as const),
  ...["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"].map(
    (extension) => [extension, "typescript"] as const,
  ),
  ["sol", "solidity"],
  ["rs", "rust"],
  ["go", "go"],
]);

/** The language that a file's extension stands for. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return BY_EXTENSION.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
}
