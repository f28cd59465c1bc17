import { readFileSync } from "node:fs";

import { expect } from "chai";

import type { MethodContext } from "../../../localnet/src/genlayer/rpc/context.ts";
import { controlMethods } from "../../../localnet/src/genlayer/rpc/control-methods.ts";
import { ethMethods } from "../../../localnet/src/genlayer/rpc/eth-methods.ts";
import { genMethods } from "../../../localnet/src/genlayer/rpc/gen-methods.ts";
import { simMethods } from "../../../localnet/src/genlayer/rpc/sim-methods.ts";

const README = readFileSync(new URL("../../../localnet/README.md", import.meta.url), "utf8");

describe("the localnet's README", () => {
  // Making the methods touches nothing of the network.
  const context = { kind: "testnet" } as unknown as MethodContext;
  const mentioned = (pattern: RegExp): string[] =>
    [...new Set([...README.matchAll(pattern)].map(([, name]) => name ?? ""))].sort();

  it("has a row for every control, and none for another", () => {
    expect(mentioned(/^\| `(localnet_\w+)` \|/gm)).to.deep.equal(Object.keys(controlMethods(context)).sort());
  });

  it("lists every method", () => {
    const methods = { ...ethMethods(context), ...genMethods(context), ...simMethods(context) };

    expect(Object.keys(methods).filter((name) => !README.includes(`\`${name}\``))).to.deep.equal([]);
  });
});
