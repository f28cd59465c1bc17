/**
 * Blanks comments, keeping every other character at its place. Literals are recognised only so that a comment mark
 * inside them begins none.
 *
 * @param name the file's name, whose extension says how comments look; unknown ones have none
 */
export function blankComments(text: string, name: string): string {
  const token = TOKENS.get(/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
  return token === undefined
    ? text
    : text.replace(token, (found: string, comment: string | undefined) =>
        comment === undefined ? found : comment.replace(/[^\r\n]/g, " "),
      );
}

// Group 1 is a comment; the other alternatives are literals.
const STRINGS = String.raw`"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?`;
const C_LIKE = new RegExp(
  String.raw`(\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$))|${STRINGS}|` + "`(?:\\\\[\\s\\S]|[^`\\\\])*`?",
  "g",
);
const HASH = new RegExp(String.raw`(#[^\r\n]*)|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${STRINGS}`, "g");
const MARKUP = /(<!--[\s\S]*?(?:-->|$))/g;

const TOKENS = new Map<string, RegExp>([
  ...[
    "ts",
    "tsx",
    "mts",
    "cts",
    "js",
    "jsx",
    "mjs",
    "cjs",
    "sol",
    "go",
    "rs",
    "c",
    "h",
    "cpp",
    "java",
    "kt",
    "cs",
    "css",
  ].map((extension) => [extension, C_LIKE] as const),
  ...["py", "pyi", "sh", "rb", "yml", "yaml", "toml"].map((extension) => [extension, HASH] as const),
  ...["md", "html", "htm", "xml", "svg"].map((extension) => [extension, MARKUP] as const),
]);
