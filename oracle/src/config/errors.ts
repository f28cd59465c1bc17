export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** The configuration is wrong; the message lists everything that is. Values are never quoted. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(
      `the configuration has ${problems.length === 1 ? "one problem" : `${problems.length} problems`}:\n` +
        problems.map(({ variable, message }) => `  ${variable} ${message}`).join("\n"),
    );
    this.problems = problems;
  }
}
