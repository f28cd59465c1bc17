import type { Check } from "@assay/protocol";

/** A piece of a sentence; what was written by somebody is kept apart, so that it can be shown as such. */
export type Piece = string | { readonly written: string };

/** What decides a requirement, as a sentence for people. */
export function checkMeaning(check: Check | undefined): readonly Piece[] {
  if (check === undefined)
    return [
      "No code decides this: every validator's model reads the delivery for itself and has to quote it.",
    ];
  switch (check.type) {
    case "string_present":
      return [
        "Passes when ",
        ...inFile(check.path),
        " contains exactly the text ",
        { written: check.needle },
        ".",
      ];
    case "regex":
      return [
        "Passes when ",
        ...inFile(check.path),
        " matches the pattern ",
        { written: check.pattern },
        ".",
      ];
    case "function_exists":
      return [
        "Passes when ",
        ...inFile(check.path),
        " defines a function ",
        { written: check.name },
        check.language === undefined ? "" : ` in ${LANGUAGE_NAMES[check.language] ?? check.language}`,
        ". Comments and texts in quotes don’t count, and nobody runs the function.",
      ];
    case "file_exists":
      return [
        "Passes when the delivery has a file at exactly ",
        { written: check.path },
        ", whatever is in it.",
      ];
    case "file_hash":
      return [
        "Passes when the file at ",
        { written: check.path },
        " has the SHA-256 ",
        { written: check.sha256 },
        ".",
      ];
    case "http_status":
      return [
        "Passes when every validator’s own request to ",
        { written: check.url },
        ` is answered with status ${check.status}, at the time of judging.`,
      ];
    case "reported":
      return [
        "Passes when the reporter ",
        { written: check.reporter },
        " has signed, for exactly the files delivered, that this holds: ",
        { written: check.claim },
        ".",
      ];
    case "execution_proof":
      return [
        "Passes when the recorded calls replay step by step from what both sides agreed on, and the recorder has signed their end.",
      ];
  }
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  python: "Python",
  typescript: "TypeScript or JavaScript",
  solidity: "Solidity",
  rust: "Rust",
  go: "Go",
};

function inFile(path: string | undefined): readonly Piece[] {
  return path === undefined ? ["some file"] : ["the file ", { written: path }];
}
