import { abi } from "genlayer-js";
import { hexlify } from "ethers";
import fc from "fast-check";
import { expect } from "chai";
import { adjudicateCalldata, type AdjudicateCall, type Hex } from "@assay/protocol";
import { proveInTrie, valueInTrie, type TrieEntry } from "../../../protocol/src/audit/proof/trie.ts";

const bytes = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((value) => hexlify(value) as Hex);

/** Entries with keys of one length, as a block's tries nearly have and a secure trie has. */
const entries = fc.integer({ min: 1, max: 3 }).chain((size) =>
  fc.uniqueArray(fc.tuple(bytes(size, size), bytes(1, 60)), {
    minLength: 1,
    maxLength: 40,
    selector: ([key]) => key,
  }),
);

describe("Merkle Patricia proofs", () => {
  it("the trie of Ethereum's own test suite has its root", () => {
    const text = (value: string): Hex => hexlify(Buffer.from(value)) as Hex;
    const pairs: TrieEntry[] = [
      [text("do"), text("verb")],
      [text("dog"), text("puppy")],
      [text("doge"), text("coin")],
      [text("horse"), text("stallion")],
    ];
    const { root } = proveInTrie(pairs, text("dog"));
    expect(root).to.equal("0x5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84");
  });

  it("every entry is proven, by its own value", () => {
    fc.assert(
      fc.property(entries, (pairs) => {
        for (const [key, value] of pairs) {
          const { root, proof } = proveInTrie(pairs, key);
          expect(valueInTrie(root, key, proof)).to.equal(value);
        }
      }),
      { numRuns: 50, seed: 11 },
    );
  });

  it("a proof with another byte, a node less or a node more proves nothing", () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(), (pairs, which, at) => {
        const [key] = pairs[which % pairs.length]!;
        const { root, proof } = proveInTrie(pairs, key);
        const index = at % proof.length;
        const node = proof[index]!;
        const place = 2 + (at % (node.length - 2));
        const other = node[place] === "0" ? "1" : "0";
        const changed = proof.with(index, `${node.slice(0, place)}${other}${node.slice(place + 1)}` as Hex);
        expect(valueInTrie(root, key, changed)).to.equal(null);
        expect(valueInTrie(root, key, proof.toSpliced(index, 1))).to.equal(null);
        expect(valueInTrie(root, key, [...proof, "0xc20102"])).to.equal(null);
      }),
      { numRuns: 50, seed: 12 },
    );
  });
});

describe("calldata of the judge", () => {
  it("is what genlayer-js encodes", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.string({ unit: "binary" }),
        fc.string({ maxLength: 300 }),
        (chainId, one, other) => {
          const call: AdjudicateCall = {
            agreementId: `0x${"ab".repeat(32)}`,
            chainId,
            escrow: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
            agreement: one,
            submission: other,
          };
          const args = [call.agreementId, BigInt(chainId), call.escrow, one, other];
          const theirs = abi.calldata.encode(abi.calldata.makeCalldataObject("adjudicate", args, undefined));
          expect(adjudicateCalldata(call)).to.equal(hexlify(theirs));
        },
      ),
      { numRuns: 100, seed: 13 },
    );
  });
});
