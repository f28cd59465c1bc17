import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { PasswordReset as Lenient } from "../../examples/password-reset/lenient/deliverable/src/password-reset.ts";
import { PasswordReset as Strict } from "../../examples/password-reset/strict/deliverable/src/password-reset.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples/password-reset");
const LIFETIME = 30 * 60 * 1000;

/** A store with one member, one token, and a clock that has run past the token's life. */
function expired(Reset: typeof Lenient | typeof Strict) {
  let now = 0;
  const passwords = new Map([["ada@example.org", "old"]]);
  const reset = new Reset(passwords, () => now);
  const token = reset.requestReset("ada@example.org");
  now = LIFETIME;
  return { reset, passwords, token: token ?? "" };
}

describe("example: password reset", () => {
  it("the lenient delivery takes an expired token, which is the bug that the agreement forbids", () => {
    const { reset, passwords, token } = expired(Lenient);
    reset.completeReset(token, "new");
    expect(passwords.get("ada@example.org")).to.equal("new");
  });

  it("the strict delivery refuses an expired token and leaves the password alone", () => {
    const { reset, passwords, token } = expired(Strict);
    expect(() => reset.completeReset(token, "new")).to.throw("This reset link has expired");
    expect(passwords.get("ada@example.org")).to.equal("old");
  });

  for (const delivery of ["lenient", "strict"]) {
    it(`the ${delivery} delivery passes the tests that its seller wrote`, () => {
      const cwd = join(EXAMPLES, delivery, "deliverable");
      // A test runner inside a test runner must not report to the outer one.
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
      const { status, stdout } = spawnSync(process.execPath, ["--test"], { cwd, env, encoding: "utf8" });
      expect(status, stdout).to.equal(0);
    });
  }
});
