/** Never delivered unless a rule of the folder asks for it: other people's code, caches, and what is secret. */
const BUILT_IN = [
  ".git/",
  ".hg/",
  ".svn/",
  "node_modules/",
  "__pycache__/",
  ".venv/",
  "*.pyc",
  ".DS_Store",
  "Thumbs.db",
  ".env",
  ".env.*",
  "*.pem",
  "*.key",
  "id_rsa*",
  "id_ed25519*",
  ".assay/",
  "/.assayignore",
];

/** Whether a path is left out. Paths are relative, with `/`. */
export type Ignore = (path: string, isFolder: boolean) => boolean;

interface Rule {
  readonly tokens: readonly Token[];
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/**
 * Rules as in a `.gitignore` at the top of the folder: `#` comments, `!` takes back, a `/` at the end is for folders,
 * one elsewhere ties the pattern to the top; `*`, `?`, `**`. The last rule that fits decides; built-in ones come first.
 */
export function ignoreFrom(text: string): Ignore {
  const rules = [...BUILT_IN, ...text.split(/\r?\n/)].flatMap(readRule);
  return (path, isFolder) => {
    const deciding = rules.findLast(
      ({ tokens, foldersOnly }) => (isFolder || !foldersOnly) && matches(tokens, path),
    );
    return deciding !== undefined && !deciding.isNegated;
  };
}

function readRule(line: string): Rule[] {
  const trimmed = line.trimEnd();
  if (trimmed === "" || trimmed.startsWith("#")) return [];
  const isNegated = trimmed.startsWith("!");
  const body = isNegated ? trimmed.slice(1) : trimmed;
  const foldersOnly = body.endsWith("/");
  const glob = body.replace(/\/+$/, "").replace(/^\//, "");
  if (glob === "") return [];
  const isTied = body.replace(/\/+$/, "").includes("/");
  const tokens = tokensOf(isTied ? glob : `**/${glob}`);
  return [{ tokens, isNegated, foldersOnly }];
}

/** A part of a glob: a character as it is, any one but `/`, any number of these, or any number of whatever. */
type Token = { readonly character: string } | "one" | "many" | "anything" | "folders";

function tokensOf(glob: string): Token[] {
  return [...glob.matchAll(/\*\*\/|\*\*|\*|\?|./gsu)].map(([part]): Token => {
    if (part === "**/") return "folders";
    if (part === "**") return "anything";
    if (part === "*") return "many";
    return part === "?" ? "one" : { character: part };
  });
}

/** Whether a path matches, in steps of at most its length times the pattern's: all ways are followed at once. */
function matches(tokens: readonly Token[], path: string): boolean {
  let at = withoutInput(tokens, new Set([0]));
  for (const character of path) {
    const next = new Set<number>();
    for (const position of at) {
      const token = tokens[position];
      if (token === undefined) continue;
      if (token === "many" || token === "anything" || token === "folders") {
        if (token !== "many" || character !== "/") next.add(position);
        // After folders comes the start of a name.
        if (token === "folders" && character === "/") next.add(position + 1);
      } else if (token === "one" ? character !== "/" : token.character === character) next.add(position + 1);
    }
    at = withoutInput(tokens, next, character);
  }
  return at.has(tokens.length);
}

/** Adds the positions that are reached without another character. */
function withoutInput(tokens: readonly Token[], positions: Set<number>, last = "/"): Set<number> {
  for (const position of positions) {
    const token = tokens[position];
    if (token === "many" || token === "anything") positions.add(position + 1);
    if (token === "folders" && last === "/") positions.add(position + 1);
  }
  return positions;
}
