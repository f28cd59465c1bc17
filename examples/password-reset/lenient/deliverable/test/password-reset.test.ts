import assert from "node:assert/strict";
import test from "node:test";
import { PasswordReset } from "../src/password-reset.ts";

test("a member sets a new password with the token", () => {
  const passwords = new Map([["ada@example.org", "old"]]);
  const reset = new PasswordReset(passwords);
  const token = reset.requestReset("ada@example.org");
  assert.ok(token);
  reset.completeReset(token, "new");
  assert.equal(passwords.get("ada@example.org"), "new");
});

test("a token works once", () => {
  const reset = new PasswordReset(new Map([["ada@example.org", "old"]]));
  const token = reset.requestReset("ada@example.org");
  assert.ok(token);
  reset.completeReset(token, "new");
  assert.throws(() => reset.completeReset(token, "newer"), /not valid/);
});

test("an unknown address gets no token", () => {
  assert.equal(new PasswordReset(new Map()).requestReset("nobody@example.org"), undefined);
});
