import { Argument, Command } from "commander";
import type { CommandFactory } from "../command.ts";
import { bashCompletion, fishCompletion, wordsOf, zshCompletion } from "../completion/scripts.ts";
import { EXIT } from "../exit-codes.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `assay completion`: a script that teaches a shell the commands and options. */
export const completionCommand: CommandFactory = (io, finish) =>
  new Command("completion")
    .summary("print a completion script for a shell")
    .description("Prints a script that completes commands and options of `assay` in a shell.")
    .addArgument(new Argument("<shell>").choices(Object.keys(SHELLS)))
    .addHelpText(
      "after",
      `
Examples:
  source <(assay completion bash)
  assay completion zsh > ~/.zfunc/_assay
  assay completion fish > ~/.config/fish/completions/assay.fish`,
    )
    .action((shell: keyof typeof SHELLS, _options: unknown, command: Command) => {
      io.out(SHELLS[shell](wordsOf(command.parent ?? command)));
      finish(EXIT.ok);
    });
