import { resolve } from "node:path";
import Mocha from "mocha";

/** How a run of tests ended. */
export type Run = { outcome: "passed" } | { outcome: "failed"; test: string };

/** Is told what runs: hooks belong to the suite that began last and has not ended. */
export interface Follower {
  suite(): void;
  suiteEnd(): void;
  test(title: string): void;
  testEnd(): void;
}

/** Prints nothing; the answer says it all. */
class Silent extends Mocha.reporters.Base {}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Runs test files of this process again and again, each loaded once. */
export class TestRunner {
  readonly #loaded = new Map<string, Mocha>();

  /** Runs a file, or the tests with these titles in it, up to the first failure. */
  async run(file: string, tests?: readonly string[], follower?: Follower): Promise<Run> {
    const mocha = await this.#load(file);
    mocha.grep(tests === undefined ? /(?:)/ : new RegExp(`^(?:${tests.map(escaped).join("|")})$`));
    return new Promise((settle) => {
      let passed = 0;
      let failed: string | undefined;
      const runner = mocha.run(() => {
        if (failed !== undefined) settle({ outcome: "failed", test: failed });
        else if (passed === 0) settle({ outcome: "failed", test: `no test called "${tests?.[0] ?? ""}"` });
        else settle({ outcome: "passed" });
      });
      runner.on("pass", () => passed++);
      runner.once("fail", (failure) => (failed = failure.fullTitle()));
      if (follower === undefined) return;
      runner.on("suite", () => follower.suite());
      runner.on("suite end", () => follower.suiteEnd());
      runner.on("test", (test) => follower.test(test.fullTitle()));
      runner.on("test end", () => follower.testEnd());
    });
  }

  async #load(file: string): Promise<Mocha> {
    const known = this.#loaded.get(file);
    if (known) return known;
    const mocha = new Mocha({ bail: true, timeout: 0, reporter: Silent });
    mocha.addFile(resolve(file));
    await mocha.loadFilesAsync();
    mocha.cleanReferencesAfterRun(false);
    // A test that is slow because the machine is busy has noticed nothing, whatever limit it sets itself
    mocha.suite.eachTest((test) => test.timeout(0));
    this.#loaded.set(file, mocha);
    return mocha;
  }
}
