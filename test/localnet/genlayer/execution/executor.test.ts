import { expect } from "chai";
import { encodeCalldata } from "../../../../localnet/src/genlayer/calldata.ts";
import { ContractLoadError } from "../../../../localnet/src/genlayer/execution/executor.ts";
import { createPyodideExecutor } from "../../../../localnet/src/genlayer/execution/pyodide-executor.ts";
import { ModelError } from "../../../../localnet/src/genlayer/models/model.ts";
import { scriptedModel } from "../../../../localnet/src/genlayer/models/scripted.ts";
import { run, sharedExecutor, textOf, valueOf, web } from "../../../genlayer/support/executor.ts";

const contract = (body: string, before = ""): string =>
  `from genlayer import *\n${before}\nclass C(gl.Contract):\n    n: u32\n    @gl.public.write\n    def f(self):\n${body
    .split("\n")
    .map((line) => `        ${line}`)
    .join("\n")}\n`;
const ask = contract(`def leader():
    return gl.nondet.exec_prompt("question", response_format="json")
return gl.vm.run_nondet_unsafe(leader, lambda result: True)`);
const call = { method: "f" };

describe("pyodide executor", () => {
  it("stops a contract that never ends, at its time limit, and goes on with others", async () => {
    const limits = { timeoutMilliseconds: 700 };
    await sharedExecutor();
    const started = performance.now();
    const result = await run(contract("while True: pass"), "write", call, { limits });
    expect(result.kind).to.equal("timeout");
    expect(performance.now() - started).to.be.lessThan(3000);
    expect(valueOf(await run(contract("return 1"), "write", call))).to.equal(1);
  });

  it("stops a contract that swallows every exception", async () => {
    const body = "while True:\n    try:\n        while True: pass\n    except BaseException: pass";
    const result = await run(contract(body), "write", call, { limits: { timeoutMilliseconds: 500 } });
    expect(result.kind).to.equal("timeout");
  });

  it("stops a contract whose model never answers", async () => {
    const model = scriptedModel(() => new Promise<string>(() => undefined));
    const result = await run(ask, "write", call, { model, limits: { timeoutMilliseconds: 500 } });
    expect(result.kind).to.equal("timeout");
  });

  it("ends a contract that allocates without end with a VM error", async () => {
    const result = await run(contract("x = []\nwhile True: x.append(bytes(1 << 20))"), "write", call);
    expect([result.kind, textOf(result)]).to.deep.equal(["vm-error", "exit_code 1"]);
    expect(result.stderr).to.contain("MemoryError");
  });

  it("ends a contract that recurses without end with a VM error", async () => {
    const result = await run(contract("return f()", "def f(): return f()"), "write", call);
    expect([result.kind, textOf(result)]).to.deep.equal(["vm-error", "exit_code 1"]);
  });

  it("lets no run see anything of another", async () => {
    const spoil = contract(
      "import json\njson.loads = None\nint.__name__\nKEPT.append(1)\nreturn len(KEPT)",
      "KEPT = []",
    );
    const innocent = contract('import json\nreturn json.loads("[1]")');
    for (let time = 0; time < 3; time++) {
      expect(valueOf(await run(spoil, "write", call))).to.equal(1);
      expect(valueOf(await run(innocent, "write", call))).to.deep.equal([1]);
    }
  });

  it("gives equal runs equal results, hash order included", async () => {
    const body = 'return [str(list({"a", "b", "c", "d"})), str(hash("x"))]';
    const results = await Promise.all(
      Array.from({ length: 6 }, async () =>
        JSON.stringify(valueOf(await run(contract(body), "write", call))),
      ),
    );
    expect(new Set(results)).to.have.length(1);
  });

  it("hands prompts to the run's own model and back", async () => {
    const model = scriptedModel(['```json\n{"a": [1, "é"]}\n```']);
    expect(valueOf(await run(ask, "write", call, { model }))).to.deep.equal({ a: [1, "é"] });
    expect(model.prompts).to.deep.equal(["question"]);
  });

  it("tells the contract why a model gave no answer", async () => {
    const causes = contract(`def leader():
    try:
        return gl.nondet.exec_prompt("question", response_format="json")
    except gl.nondet.NondetException as error:
        return error.args[0]["causes"][0]
return gl.vm.run_nondet_unsafe(leader, lambda result: True)`);
    const causeOf = async (answer: string | ModelError): Promise<unknown> =>
      valueOf(await run(causes, "write", call, { model: scriptedModel([answer]) }));
    expect(await causeOf(new ModelError("transient", "503"))).to.equal("TRANSIENT_MODEL_FAILURE");
    expect(await causeOf(new ModelError("model", "no"))).to.equal("MODEL_FAILURE");
    expect(await causeOf("no JSON")).to.equal("INVALID_JSON");
    expect(await causeOf("[1]")).to.equal("INVALID_JSON");
  });

  it("hands GET requests to the web and back", async () => {
    const fetched = contract(`def leader():
    response = gl.nondet.web.get("https://a.example/x", headers={"accept": "text/plain"})
    return [response.status, response.headers["etag"], response.body]
return gl.vm.run_nondet_unsafe(leader, lambda result: True)`);
    const before = web.current;
    web.current = {
      get: ({ url, headers }) =>
        Promise.resolve({
          status: 404,
          headers: { etag: `${url} ${String(headers["accept"])}` },
          body: Uint8Array.of(0, 255),
        }),
    };
    try {
      const value = valueOf(await run(fetched, "write", call)) as [number, Uint8Array, Uint8Array];
      expect([value[0], Buffer.from(value[1]).toString(), [...value[2]]]).to.deep.equal([
        404,
        "https://a.example/x text/plain",
        [0, 255],
      ]);
    } finally {
      web.current = before;
    }
  });

  it("keeps what a contract prints, up to a bound", async () => {
    const result = await run(contract('print("héllo")\nprint("x" * 1000000)'), "write", call);
    expect(result.stdout).to.have.length(65_536);
    expect(result.stdout.startsWith("héllo\n")).to.equal(true);
  });

  it("has no schema for what is no contract", async () => {
    const executor = await sharedExecutor();
    let error: unknown;
    await executor.schema(Buffer.from("x = 1")).catch((reason: unknown) => (error = reason));
    expect(error).to.be.instanceOf(ContractLoadError);
    expect((error as ContractLoadError).message).to.match(/exactly one gl.Contract class/);
  });

  it("refuses to be made with no instance", async () => {
    let error: unknown;
    await createPyodideExecutor({ instances: 0 }).catch((reason: unknown) => (error = reason));
    expect(error).to.be.instanceOf(RangeError);
  });

  it("refuses work once it is stopped, and stops twice", async () => {
    const executor = await createPyodideExecutor({ instances: 1 });
    await executor.stop();
    await executor.stop();
    let error: unknown;
    await executor
      .execute({
        kind: "read",
        code: Buffer.from(""),
        state: new Uint8Array(),
        calldata: encodeCalldata({}),
        message: {
          contractAddress: `0x${"01".repeat(20)}`,
          senderAddress: `0x${"01".repeat(20)}`,
          originAddress: `0x${"01".repeat(20)}`,
          value: 0n,
          chainId: 1n,
          datetime: "2026-01-01T00:00:00Z",
        },
        mode: { role: "leader" },
        model: { provider: "rules" },
        limits: { timeoutMilliseconds: 1000 },
      })
      .catch((reason: unknown) => (error = reason));
    expect((error as Error).message).to.equal("the executor has been stopped");
  });
});
