import { toAddress } from "@assay/protocol";
import { expect } from "chai";
import { type CalldataInput, encodeCalldata } from "../../../../localnet/src/genlayer/calldata.ts";
import type { ExecutionResult } from "../../../../localnet/src/genlayer/execution/executor.ts";
import { scriptedModel } from "../../../../localnet/src/genlayer/models/scripted.ts";
import { type Call, run, sharedExecutor, textOf, valueOf } from "../../../genlayer/support/executor.ts";

const HEADER = `from dataclasses import dataclass
from genlayer import *
`;

/** A contract with these class lines, and module lines before it. */
function contract(body: string, before = ""): string {
  const lines = body.split("\n").map((line) => `    ${line}`);
  return `${HEADER}\n${before}\n\nclass C(gl.Contract):\n${lines.join("\n")}\n`;
}

async function view(body: string, before = "", args: CalldataInput[] = []): Promise<ExecutionResult> {
  return run(contract(body, before), "read", { method: "f", args });
}

async function refusal(body: string, before = ""): Promise<string> {
  const result = await run(contract(`${body}\n`, before), "write", { method: "f" });
  expect(result.kind).to.equal("vm-error");
  return textOf(result);
}

const block = (leader: string): string => `total: u32
items: TreeMap[str, u32]
@gl.public.write
def f(self):
    return gl.vm.run_nondet_unsafe(${leader}, lambda result: True)`;

describe("genlayer stand-in", () => {
  describe("storage", () => {
    const types: [string, string, RegExp][] = [
      ["plain int", "n: int", /^storage-type: int: plain int has no size/],
      ["list", "n: list[u8]", /^storage-type: .*use DynArray/],
      ["dict", "n: dict[str, u8]", /^storage-type: .*use TreeMap/],
      ["tuple", "n: tuple[u8, u8]", /^storage-type: .*dataclass/],
      ["float", "n: float", /^storage-type: float/],
      ["an unmarked dataclass", "n: D", /^storage-type: D must be marked @allow_storage/],
      ["plain int inside a TreeMap", "n: TreeMap[str, int]", /^storage-type: int/],
      ["a default value", "n: u8 = 1", /^storage-type: n: a storage field has no default/],
    ];
    for (const [name, annotation, reason] of types) {
      it(`refuses ${name}`, async () => {
        const before = "@dataclass\nclass D:\n    a: u8";
        expect(await refusal(`${annotation}\n@gl.public.write\ndef f(self): pass`, before)).to.match(reason);
      });
    }

    it("refuses a plain int inside a stored dataclass", async () => {
      const before = "@allow_storage\n@dataclass\nclass D:\n    a: int";
      expect(await refusal("n: D\n@gl.public.write\ndef f(self): pass", before)).to.match(
        /^storage-type: int/,
      );
    });

    it("is zero-initialised from the annotations", async () => {
      const before = "@allow_storage\n@dataclass\nclass D:\n    a: u8\n    b: str";
      const body = `n: u256
s: str
b: bytes
t: bool
a: Address
d: D
m: TreeMap[str, u8]
l: DynArray[str]
@gl.public.view
def f(self):
    return [self.n, self.s, self.b, self.t, self.a.as_hex, self.d.a, self.d.b, len(self.m), len(self.l)]`;
      expect(valueOf(await view(body, before))).to.deep.equal([
        0,
        "",
        new Uint8Array(),
        false,
        `0x${"0".repeat(40)}`,
        0,
        "",
        0,
        0,
      ]);
    });

    it("keeps what is stored, by value, in a canonical snapshot", async () => {
      const before = "@allow_storage\n@dataclass\nclass D:\n    a: u8\n    n: bigint";
      const code = contract(
        `m: TreeMap[str, D]
l: DynArray[D]
def __init__(self):
    one = D(a=1, n=2**80)
    self.m["z"] = one
    self.m["b"] = one
    one.a = 7
    self.m["b"].a = 3
    self.l.append(self.m["b"])
    self.m["b"].a = 4
@gl.public.view
def f(self):
    return [[key, value.a, str(value.n)] for key, value in self.m.items()] + [self.l[0].a]`,
        before,
      );
      const deployed = await run(code, "deploy");
      expect(Buffer.from(deployed.state!).toString()).to.equal(
        '{"l":[{"a":"3","n":"1208925819614629174706176"}],"m":[["b",{"a":"4","n":"1208925819614629174706176"}],["z",{"a":"1","n":"1208925819614629174706176"}]]}',
      );
      const read = await run(code, "read", { method: "f" }, { state: deployed.state! });
      expect(valueOf(read)).to.deep.equal([
        ["b", 4, "1208925819614629174706176"],
        ["z", 1, "1208925819614629174706176"],
        3,
      ]);
    });

    const values: [string, string, RegExp][] = [
      ["256 as u8", "self.n = 256", /^storage-value: 256 is out of the range of u8/],
      ["-1 as u8", "self.n = -1", /^storage-value: -1 is out of the range/],
      ["text as u8", 'self.n = "1"', /^storage-value: str cannot be stored as u8/],
      ["True as u8", "self.n = True", /^storage-value: bool cannot be stored as u8/],
      ["a lone surrogate", 'self.s = "\\ud800"', /^storage-value: .*surrogate/],
      ["a number as a key", "self.m[1] = 1", /^storage-value: int cannot be stored as str/],
    ];
    for (const [name, statement, reason] of values) {
      it(`refuses to store ${name}`, async () => {
        const body = `n: u8\ns: str\nm: TreeMap[str, u8]\n@gl.public.write\ndef f(self):\n    ${statement}`;
        expect(await refusal(body)).to.match(reason);
      });
    }

    for (const statement of ["self.n = 1", 'self.m["a"] = 1', "self.l.append(1)", 'self.d["a"].v = 2']) {
      it(`refuses \`${statement}\` in a view`, async () => {
        const code = contract(
          `n: u8
m: TreeMap[str, u8]
l: DynArray[u8]
d: TreeMap[str, D]
def __init__(self):
    self.d["a"] = D(v=1)
@gl.public.view
def f(self):
    ${statement}`,
          "@allow_storage\n@dataclass\nclass D:\n    v: u8",
        );
        const state = (await run(code, "deploy")).state!;
        const result = await run(code, "read", { method: "f" }, { state });
        expect(textOf(result)).to.match(/^storage-write-in-view: /);
      });
    }

    for (const [name, statement] of [
      ["a user error", 'raise gl.vm.UserError("[EXPECTED] no")'],
      ["any exception", "1 // 0"],
      ["a broken rule", "self.n = 1.5"],
    ]) {
      it(`rolls back on ${name}`, async () => {
        const result = await run(
          contract(`n: u8\n@gl.public.write\ndef f(self):\n    self.n = 1\n    ${statement}`),
          "write",
          { method: "f" },
        );
        expect(result.kind).to.not.equal("return");
        expect(result.state).to.equal(null);
      });
    }
  });

  describe("nondeterministic blocks", () => {
    it("refuse to capture self", async () => {
      expect(await refusal(block("lambda: self.total"))).to.match(/^unpicklable-closure: .*`self`/);
    });

    it("refuse to capture a view of storage", async () => {
      const body = block("lambda: len(items)").replace("    return", "    items = self.items\n    return");
      expect(await refusal(body)).to.match(/^unpicklable-closure: .*a view of storage/);
    });

    it("refuse to capture a generator", async () => {
      const body = block("lambda: list(items)").replace(
        "    return",
        "    items = (n for n in [1])\n    return",
      );
      expect(await refusal(body)).to.match(/^unpicklable-closure: .*a generator/);
    });

    it("refuse storage that a global reaches", async () => {
      const body = block("lambda: KEPT.holder.total").replace(
        "    return",
        "    KEPT.holder = self\n    return",
      );
      expect(await refusal(body, "class KEPT: holder = None")).to.match(/^storage-in-nondet-block: /);
    });

    it("refuse to nest", async () => {
      const inner = "lambda: gl.vm.run_nondet_unsafe(lambda: 1, lambda result: True)";
      expect(await refusal(block(inner))).to.match(/^nested-nondet-block: /);
    });

    it("see copies and change nothing outside", async () => {
      const body = `@gl.public.write
def f(self):
    seen = [1]
    def leader():
        seen.append(2)
        SHARED.append(2)
        return seen
    value = gl.vm.run_nondet_unsafe(leader, lambda result: True)
    return [value, seen, SHARED]`;
      const result = await run(contract(body, "SHARED = [1]"), "write", { method: "f" });
      expect(valueOf(result)).to.deep.equal([[1, 2], [1], [1]]);
    });

    it("refuse a float as their result", async () => {
      expect(await refusal(block("lambda: 0.5"))).to.match(/^calldata: the result of a block: .*no floats/);
    });

    for (const call of ['gl.nondet.exec_prompt("x")', 'gl.nondet.web.get("https://a.example")']) {
      it(`are the only place for ${call}`, async () => {
        expect(await refusal(`@gl.public.write\ndef f(self):\n    return ${call}`)).to.match(
          /^nondet-outside-block: /,
        );
      });
    }

    it("end the run with the leader's user error, and keep it as their output", async () => {
      const body = block("fail").replace(
        "    return",
        '    def fail():\n        raise gl.vm.UserError("[EXTERNAL] gone")\n    return',
      );
      const result = await run(contract(body), "write", { method: "f" });
      expect([result.kind, textOf(result)]).to.deep.equal(["user-error", "[EXTERNAL] gone"]);
      expect(result.nondetOutputs.map((output) => Buffer.from(output).toString())).to.deep.equal([
        "\x01[EXTERNAL] gone",
      ]);
    });

    it("end the run as a VM error when anything else is raised", async () => {
      const result = await run(contract(block("lambda: 1 // 0")), "write", { method: "f" });
      expect([result.kind, textOf(result)]).to.deep.equal(["vm-error", "exit_code 1"]);
      expect(result.stderr).to.contain("ZeroDivisionError");
    });
  });

  describe("validators", () => {
    const code = contract(`@gl.public.write
def f(self):
    def leader():
        return int(gl.nondet.exec_prompt("number"))
    def validator(result):
        if not isinstance(result, gl.vm.Return):
            return False
        if result.calldata == 99:
            raise ValueError("no")
        return abs(result.calldata - int(gl.nondet.exec_prompt("number"))) <= 1
    return [gl.vm.run_nondet_unsafe(leader, validator), gl.vm.run_nondet_unsafe(leader, validator)]`);
    const call: Call = { method: "f" };
    const validate = (outputs: Uint8Array[], answers: string[]): Promise<ExecutionResult> =>
      run(code, "write", call, {
        mode: { role: "validator", leaderOutputs: outputs },
        model: scriptedModel(answers),
      });
    const output = (value: CalldataInput): Uint8Array =>
      Buffer.concat([Uint8Array.of(0), encodeCalldata(value)]);

    it("rule on each block with their own answers and go on with the leader's values", async () => {
      const leader = await run(code, "write", call, { model: scriptedModel(["4", "8"]) });
      const result = await validate([...leader.nondetOutputs], ["5", "2"]);
      expect(result.validatorVotes).to.deep.equal([true, false]);
      expect(valueOf(result)).to.deep.equal([4, 8]);
    });

    it("disagree when they raise", async () => {
      expect((await validate([output(99), output(1)], ["1", "1"])).validatorVotes).to.deep.equal([
        false,
        true,
      ]);
    });

    it("disagree with an output that is no calldata", async () => {
      const result = await validate([Uint8Array.of(0, 7)], ["1"]);
      expect([result.validatorVotes, textOf(result)]).to.deep.equal([
        [false],
        "the leader's output is no calldata",
      ]);
    });

    it("find a VM error when the leader ran fewer blocks", async () => {
      expect(textOf(await validate([output(1)], ["1", "1"]))).to.match(/the leader has no output/);
    });

    it("find a VM error when the leader ran more blocks", async () => {
      const result = await validate([output(1), output(1), output(1)], ["1", "1"]);
      expect([result.kind, textOf(result)]).to.deep.equal([
        "vm-error",
        "the leader ran more nondeterministic blocks",
      ]);
    });

    it("reproduce strict_eq exactly, errors included", async () => {
      const strict = contract(`@gl.public.write
def f(self):
    def ask():
        answer = gl.nondet.exec_prompt("word")
        if answer == "none":
            raise gl.vm.UserError("[EXTERNAL] none")
        return answer
    return gl.eq_principle.strict_eq(ask)`);
      const votes = async (leader: string, own: string): Promise<readonly boolean[]> => {
        const led = await run(strict, "write", call, { model: scriptedModel([leader]) });
        const mode = { role: "validator", leaderOutputs: led.nondetOutputs } as const;
        return (await run(strict, "write", call, { mode, model: scriptedModel([own]) })).validatorVotes;
      };
      expect(await votes("a", "a")).to.deep.equal([true]);
      expect(await votes("a", "b")).to.deep.equal([false]);
      expect(await votes("none", "none")).to.deep.equal([true]);
      expect(await votes("none", "a")).to.deep.equal([false]);
    });
  });

  describe("methods", () => {
    it("are called only when they are public", async () => {
      const code = contract("def f(self): return 1\n@gl.public.view\ndef g(self): return 1");
      expect(textOf(await run(code, "read", { method: "f" }))).to.match(/^not-a-public-method: `f`/);
      expect(textOf(await run(code, "read", { method: "__init__" }))).to.match(/^not-a-public-method: /);
      expect(textOf(await run(code, "read", {}))).to.match(/^not-a-public-method: /);
    });

    it("take value only when they are payable", async () => {
      const code = contract(
        "@gl.public.write\ndef f(self): return 1\n@gl.public.write.payable\ndef g(self): return gl.message.value",
      );
      expect(textOf(await run(code, "write", { method: "f" }, { value: 5n }))).to.match(
        /^value-to-non-payable: /,
      );
      expect(valueOf(await run(code, "write", { method: "g" }, { value: 5n }))).to.equal(5);
    });

    it("return calldata and no float", async () => {
      const result = await view("@gl.public.view\ndef f(self): return 0.5");
      expect(textOf(result)).to.match(/^calldata: calldata has no floats/);
    });

    it("see the message and the transaction's time as their only clock", async () => {
      const body = `@gl.public.view
def f(self):
    m = gl.message
    return [m.contract_address.as_hex, m.sender_address.as_hex, m.chain_id, gl.message_raw["datetime"]]`;
      expect(valueOf(await view(body))).to.deep.equal([
        toAddress(`0x${"c0".repeat(20)}`),
        toAddress(`0x${"5e".repeat(20)}`),
        61127,
        "2026-01-02T03:04:05Z",
      ]);
    });

    it("appear in the schema with their types", async () => {
      const code = contract(`def __init__(self, owner: Address, *, limit: u8): pass
@gl.public.view
def f(self, a: str, b: list[int], c: dict) -> dict[str, int]: return {}
@gl.public.write.payable
def g(self, x: bytes | None): pass`);
      expect(await (await sharedExecutor()).schema(Buffer.from(code))).to.deep.equal({
        ctor: { params: [["owner", "address"]], kwparams: { limit: "int" } },
        methods: {
          f: {
            params: [
              ["a", "string"],
              ["b", [{ $rep: "int" }]],
              ["c", "dict"],
            ],
            kwparams: {},
            readonly: true,
            ret: { $dict: "int" },
          },
          g: {
            params: [["x", { $or: ["bytes", "null"] }]],
            kwparams: {},
            readonly: false,
            ret: "any",
            payable: true,
          },
        },
      });
    });
  });

  describe("modules", () => {
    for (const name of [
      "os",
      "sys",
      "time",
      "random",
      "socket",
      "subprocess",
      "datetime",
      "js",
      "pickle",
      "io",
      "builtins",
    ]) {
      it(`cannot import ${name}`, async () => {
        expect(await refusal("@gl.public.write\ndef f(self): pass", `import ${name}`)).to.match(
          /^forbidden-import: /,
        );
      });
    }

    it("have exactly one contract class", async () => {
      const none = await run(HEADER, "deploy");
      const two = await run(`${HEADER}\nclass A(gl.Contract): pass\nclass B(gl.Contract): pass\n`, "deploy");
      expect([textOf(none), textOf(two)].map((text) => text.split(":")[0])).to.deep.equal([
        "one-contract-class",
        "one-contract-class",
      ]);
    });

    it("that do not compile fail as VM errors", async () => {
      const result = await run("def (", "deploy");
      expect(result.kind).to.equal("vm-error");
      expect(result.stderr).to.contain("SyntaxError");
    });
  });

  it("refuses what it does not simulate, by name", async () => {
    expect(await refusal('@gl.public.write\ndef f(self): gl.get_contract_at("x")')).to.equal(
      "not-in-this-stand-in: gl.get_contract_at",
    );
  });

  it("decodes and encodes calldata as the TypeScript codec does", async () => {
    const echo = "@gl.public.view\ndef f(self, value): return value";
    const value: CalldataInput = {
      "": null,
      é: [true, -(2n ** 90n), Uint8Array.of(1)],
      z: { a: "𝄞", b: {} },
    };
    const result = await view(echo, "", [value]);
    expect(Buffer.from(result.data).toString("hex")).to.equal(
      Buffer.from(encodeCalldata(value)).toString("hex"),
    );
  });

  it("refuses calldata with unsorted keys or trailing bytes", async () => {
    const executor = await sharedExecutor();
    for (const hex of ["16016209016111", "0e066d6574686f640c6600"]) {
      const result = await executor.execute({
        kind: "read",
        code: Buffer.from(contract("@gl.public.view\ndef f(self): return 1")),
        state: new Uint8Array(),
        calldata: Buffer.from(hex, "hex"),
        message: {
          contractAddress: `0x${"01".repeat(20)}`,
          senderAddress: `0x${"02".repeat(20)}`,
          originAddress: `0x${"02".repeat(20)}`,
          value: 0n,
          chainId: 1n,
          datetime: "2026-01-01T00:00:00Z",
        },
        mode: { role: "leader" },
        model: { provider: "rules" },
        limits: { timeoutMilliseconds: 10_000 },
      });
      expect(textOf(result)).to.match(/^calldata: /);
    }
  });

  it("spells addresses by EIP-55 and verifies no checksum, as GenVM does", async () => {
    const spelled = `@gl.public.view
def f(self, text):
    one = Address(text)
    return [one.as_hex, str(one), f"{one}", one.as_b64]`;
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for (const text of [
      address,
      address.toLowerCase(),
      `${address.slice(0, -1)}D`,
      "Wq62BT8+lMm5oJ8zZpQ15+8b6u0=",
    ]) {
      expect(valueOf(await view(spelled, "", [text]))).to.deep.equal([
        address,
        address,
        `Address("${address}")`,
        "Wq62BT8+lMm5oJ8zZpQ15+8b6u0=",
      ]);
    }
  });
});
