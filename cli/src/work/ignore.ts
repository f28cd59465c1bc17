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
  readonly pattern: RegExp;
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
      ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern.test(path),
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
  return [
    {
      pattern: new RegExp(`^${isTied ? "" : "(?:.*/)?"}${expressionOf(glob)}$`, "su"),
      isNegated,
      foldersOnly,
    },
  ];
}

/** A glob as a regular expression without nested repetition, so that no pattern takes long. */
function expressionOf(glob: string): string {
  return glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      return part
        .replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&")
        .replaceAll("\\-", "-")
        .replaceAll("\\/", "/");
    })
    .join("");
}
