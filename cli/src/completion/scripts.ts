import type { Command } from "commander";

/** One command with what may follow it. */
export interface Words {
  /** Command words after `assay`, such as `agreement fund`; empty for the program itself. */
  readonly path: string;
  /** Commands and flags, each with a few words about it. */
  readonly next: readonly { readonly word: string; readonly about: string }[];
}

/** Everything that can be completed, from the program itself: nothing is listed twice by hand. */
export function wordsOf(program: Command, path: readonly string[] = []): Words[] {
  const commands = program.commands.map((command) => ({ word: command.name(), about: command.summary() }));
  const flags = program.options.flatMap(({ long, description }) =>
    long == null ? [] : [{ word: long, about: description }],
  );
  const help = { word: "--help", about: "display help for command" };
  return [
    { path: path.join(" "), next: [...commands, ...flags, help] },
    ...program.commands.flatMap((command) => wordsOf(command, [...path, command.name()])),
  ];
}

/** A script for bash. */
export function bashCompletion(words: readonly Words[]): string {
  const cases = words.map(
    ({ path, next }) => `    ${quote(path)}) words=${quote(next.map(({ word }) => word).join(" "))} ;;`,
  );
  const [known, groups] = [words.map(({ path }) => path), groupPaths(words)].map((paths) =>
    quote(`|${paths.join("|")}|`),
  );
  return `# Completion of assay for bash: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" next index
  local known=${known ?? ""}
  local groups=${groups ?? ""}
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${path:+$path }\${COMP_WORDS[index]}"
    [[ "$known" == *"|$next|"* ]] || break
    path="$next"
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=()
  if [[ "$current" == -* || "$groups" == *"|$path|"* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _assay assay
`;
}

/** A script for zsh. */
export function zshCompletion(words: readonly Words[]): string {
  const described = ({ next }: Words): string =>
    next.map(({ word, about }) => quote(`${word.replaceAll(":", "\\:")}:${about}`)).join(" ");
  const cases = words.map((entry) => `    ${quote(entry.path)}) suggestions=(${described(entry)}) ;;`);
  return `#compdef assay
# Completion of assay for zsh: assay completion zsh > ~/.zfunc/_assay
_assay() {
  local -a known suggestions
  local at="" next
  local -i index
  known=(${words.map(({ path }) => quote(path)).join(" ")})
  for ((index = 2; index < CURRENT; index++)); do
    next="\${at:+$at }\${words[index]}"
    ((\${known[(Ie)$next]})) || break
    at="$next"
  done
  case "$at" in
${cases.join("\n")}
  esac
  _describe 'assay' suggestions
  _files
}
if [ "$funcstack[1]" = "_assay" ]; then _assay "$@"; else compdef _assay assay; fi
`;
}

/** A script for fish. */
export function fishCompletion(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, next }) =>
    next.map(({ word, about }) => {
      const condition = `-n ${quote(`__assay_at ${quote(path)}`)}`;
      return word.startsWith("--")
        ? `complete -c assay ${condition} -l ${word.slice(2)} -d ${quote(about)}`
        : `complete -c assay ${condition} -f -a ${word} -d ${quote(about)}`;
    }),
  );
  return `# Completion of assay for fish: assay completion fish > ~/.config/fish/completions/assay.fish
function __assay_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    contains -- "$next" ${words.map(({ path }) => quote(path)).join(" ")}; or break
    set at "$next"
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** Paths that have commands below them; the program itself is one. */
function groupPaths(words: readonly Words[]): string[] {
  return words
    .map(({ path }) => path)
    .filter((path) => path === "" || words.some((other) => other.path.startsWith(`${path} `)));
}

/** Single quotes, as every one of these shells reads them. */
function quote(text: string): string {
  return `'${text.replaceAll("\n", " ").replaceAll("'", "'\\''")}'`;
}
