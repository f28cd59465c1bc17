import { expect } from "chai";

/** The error of class `type` with which `action` refuses; fails when it does anything else. */
export function refusalOf<E extends Error>(
  type: abstract new (...parameters: never[]) => E,
  action: () => unknown,
): E {
  try {
    action();
  } catch (error) {
    expect(error).to.be.instanceOf(type);
    return error as E;
  }
  return expect.fail(`expected ${type.name}`);
}
