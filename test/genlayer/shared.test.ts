import { expect } from "chai";
import { computeAddress, hexlify, keccak256, Wallet } from "ethers";
import { ModelError } from "../../localnet/src/genlayer/models/model.ts";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { textOf } from "./support/executor.ts";
import { helperOf, refusalsOf } from "./support/helpers.ts";
import { ASSESSOR, readyContract, RESPONSIBILITY, workflow } from "./support/responsibility.ts";
import { adjudicate, caseOf, VERIFIER } from "./support/verifier.ts";
import { workflowKey } from "@assay/protocol";

// GenVM takes one file a contract, so these stand in both, and each copy has to hold.
const CONTRACTS: [string, string][] = [
  ["agreement_verifier.py", VERIFIER],
  ["responsibility.py", RESPONSIBILITY],
];

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
const KEY = 0xa1b2c3d4e5f60718293a4b5c6d7e8f901122334455667788990011223344556n;
const DIGEST = BigInt(keccak256("0x61"));

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const bytesOf = (digits: string): Buffer => Buffer.from(digits, "hex");
const signature = (r: bigint, s: bigint, v: number): Buffer =>
  bytesOf(word(r) + word(s) + v.toString(16).padStart(2, "0"));

/** A signature of DIGEST by KEY whose nonce is 1 or -1, so that its point is the generator or its negative. */
function signedBy(nonce: 1n | -1n): Buffer {
  // The generator's y is even, its negative's odd
  const point = nonce === 1n ? 27 : 28;
  const s = (((nonce * (DIGEST + GENERATOR_X * KEY)) % ORDER) + ORDER) % ORDER;
  return s > ORDER / 2n ? signature(GENERATOR_X, ORDER - s, 55 - point) : signature(GENERATOR_X, s, point);
}

for (const [name, source] of CONTRACTS) {
  const call = (helper: string, ...calls: Parameters<typeof helperOf>[2][]) =>
    helperOf(source, helper, ...calls);
  const refusals = (helper: string, ...calls: Parameters<typeof refusalsOf>[2][]) =>
    refusalsOf(source, helper, ...calls);

  describe(`what ${name} has in common with the other contract`, () => {
    it("takes what is within its bounds, gives it back, and refuses the next value on either side", async () => {
      expect(await call("take_integer", [2, "n", 2, 4], [4, "n", 2, 4])).to.deep.equal([2, 4]);
      expect(await call("take_text", ["é", "t", 2, 4], ["éé", "t", 2, 4])).to.deep.equal(["é", "éé"]);
      const hash = `0x${"0a".repeat(32)}`;
      expect(await call("take_hash", [hash, "h"])).to.deep.equal([hash]);
      expect(
        await refusals("take_integer", [1, "n", 2, 4], [5, "n", 2, 4], [true, "n", 0, 4], ["2", "n", 2, 4]),
      ).to.deep.equal([
        "[EXPECTED] n: must be 2 to 4",
        "[EXPECTED] n: must be 2 to 4",
        "[EXPECTED] n: must be an integer",
        "[EXPECTED] n: must be an integer",
      ]);
      expect(await refusals("take_text", ["x", "t", 2, 4], ["ééx", "t", 2, 4], [7, "t", 2, 4])).to.deep.equal(
        [
          "[EXPECTED] t: must have 2 to 4 bytes",
          "[EXPECTED] t: must have 2 to 4 bytes",
          "[EXPECTED] t: must be text",
        ],
      );
      const bad = [hash.slice(0, -1), `${hash}0`, hash.toUpperCase(), hash.slice(2), 7, `${hash}\n`];
      expect(await refusals("take_hash", ...bad.map((value) => [value, "h"]))).to.deep.equal(
        bad.map(() => "[EXPECTED] h: must be 0x and 64 lower-case hex digits"),
      );
    });

    it("puts a field's length before it in eight bytes, the largest first", async () => {
      const fields = [Buffer.from("ab"), Buffer.alloc(0), Buffer.alloc(258, 1)];
      const [joined] = (await call("length_prefixed", [fields])) as Uint8Array[];
      expect(Buffer.from(joined!).toString("hex")).to.equal(
        `${"00".repeat(7)}026162${"00".repeat(8)}${"00".repeat(6)}0102${"01".repeat(258)}`,
      );
    });

    it("agrees on an error by its class: the same text, or waiting on both sides", async () => {
      const cases: [string, string, boolean][] = [
        ["[EXPECTED] a", "[EXPECTED] a", true],
        ["[EXPECTED] a", "[EXPECTED] b", false],
        ["[EXTERNAL] a", "[EXTERNAL] a", true],
        ["[EXTERNAL] a", "[EXTERNAL] b", false],
        ["[EXTERNAL] a", "[EXPECTED] a", false],
        ["[TRANSIENT] a", "[TRANSIENT] b", true],
        ["[TRANSIENT] a", "[EXPECTED] a", false],
        ["[EXPECTED] a", "[TRANSIENT] a", false],
        ["[LLM_ERROR] a", "[LLM_ERROR] a", false],
        ["[LLM_ERROR] a", "[TRANSIENT] a", false],
        ["a", "a", false],
      ];
      const agreed = await call("agree_on_error", ...cases.map(([leader, own]) => [leader, own]));
      expect(agreed).to.deep.equal(cases.map(([, , agrees]) => agrees));
    });

    it("reads an answer in a code fence, and no other wrapping", async () => {
      const wrapped = [
        '{"a":1}',
        ' \n{"a":1}\n ',
        '```json\n{"a":1}\n```',
        ' \n```json\n{"a":1}\n```\n ',
        '```\n{"a":1}\n```',
        '```json \t\r\n{"a":1}\r\n```',
      ];
      expect(await call("parse_answer", ...wrapped.map((text) => [text]))).to.deep.equal(
        wrapped.map(() => ({ a: 1 })),
      );
      const refused = ['```python\n{"a":1}\n```', '```json{"a":1}```', 'So: {"a":1}', '{"a":1,"a":1}', ""];
      expect(await refusals("parse_answer", ...refused.map((text) => [text]))).to.deep.equal(
        refused.map(() => "[LLM_ERROR] the answer is not JSON"),
      );
    });

    it("shows text as JSON in ASCII", async () => {
      expect(await call("framed", ['é\n"\u202e'])).to.deep.equal(['"\\u00e9\\n\\"\\u202e"']);
    });

    it("hashes as Keccak-256 does, at every length around a block", async () => {
      const inputs = [0, 1, 7, 8, 9, 31, 32, 63, 64, 127, 128, 135, 136, 137, 271, 272, 273, 1000].map(
        (length) => Buffer.from(Array.from({ length }, (_, index) => (index * 37 + length) % 256)),
      );
      const hashes = (await call("keccak256", ...inputs.map((input) => [input]))) as Uint8Array[];
      expect(hashes.map((hash) => hexlify(hash))).to.deep.equal(inputs.map((input) => keccak256(input)));
    });

    it("recovers who signed, also where points meet their own double or their negative", async () => {
      const signers = Array.from(
        { length: 12 },
        (_, index) => new Wallet(`0x${word(KEY + BigInt(index) * 7n)}`),
      );
      const cases = signers.map(({ signingKey, address }) => {
        const digest = keccak256(address);
        return {
          digest: digest.slice(2),
          signed: bytesOf(signingKey.sign(digest).serialized.slice(2)),
          address,
        };
      });
      const met = ([1n, -1n] as const).map((nonce) => ({
        digest: word(DIGEST),
        signed: signedBy(nonce),
        address: computeAddress(`0x${word(KEY)}`),
      }));
      const all = [...cases, ...met];
      const recovered = await call("recover", ...all.map(({ digest, signed }) => [bytesOf(digest), signed]));
      expect(recovered).to.deep.equal(all.map(({ address }) => address));
    });

    it("recovers nobody from what is no signature, and from one whose key would be no point", async () => {
      const good = new Wallet(`0x${word(KEY)}`).signingKey.sign(`0x${word(DIGEST)}`);
      const [r, s, v] = [BigInt(good.r), BigInt(good.s), good.v];
      const nobody = [
        signature(r, s, 26),
        signature(r, s, 29),
        signature(r, s, 0),
        signature(0n, s, v),
        signature(ORDER, s, v),
        signature(ORDER + 1n, s, v),
        signature(r, 0n, v),
        signature(r, ORDER / 2n + 1n, v),
        signature(r, ORDER - s, v),
        // No point of the curve has this x
        signature(5n, s, v),
        // s and the digest cancel out
        signature(GENERATOR_X, 7n, 27),
      ];
      const digests = nobody.map((_, place) => (place === nobody.length - 1 ? word(7n) : word(DIGEST)));
      expect(
        await call("recover", ...nobody.map((one, place) => [bytesOf(digests[place]!), one])),
      ).to.deep.equal(nobody.map(() => ""));
      const half = signature(r, ORDER / 2n, v);
      const smallest = signature(1n, 1n, 27);
      const [one, other] = await call(
        "recover",
        [bytesOf(word(DIGEST)), half],
        [bytesOf(word(DIGEST)), smallest],
      );
      expect(one).to.match(/^0x[0-9a-fA-F]{40}$/);
      expect(other).to.match(/^0x[0-9a-fA-F]{40}$/);
    });

    it("calls a model that is away transient by any word that says that waiting helps", async () => {
      const ask = async (error: ModelError): Promise<string> => {
        const model = scriptedModel([error]);
        return name === "agreement_verifier.py"
          ? textOf(await adjudicate(caseOf(), { model }))
          : (await readyContract()).refusal(ASSESSOR, "assess", [workflowKey(workflow())], { model });
      };
      for (const words of ["timeout", "status_not_ok", "rate_limit", "overloaded", "transient"]) {
        expect(await ask(new ModelError("model", `it said ${words}.`)), words).to.equal(
          "[TRANSIENT] the model is not available",
        );
      }
      expect(await ask(new ModelError("transient", "503"))).to.equal(
        "[TRANSIENT] the model is not available",
      );
      expect(await ask(new ModelError("model", "refused"))).to.equal("[LLM_ERROR] the model gave no answer");
    });
  });
}
