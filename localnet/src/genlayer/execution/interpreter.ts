import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

/**
 * CPython on WebAssembly with our `genlayer` package. An interpreter is made from a memory snapshot, and returns to the
 * same memory image after every run: no run sees anything of another, and every run starts from equal memory.
 */

const SDK_DIRECTORY = fileURLToPath(new URL("../sdk/genlayer/", import.meta.url));
const PYODIDE_DIRECTORY = dirname(createRequire(import.meta.url).resolve("pyodide"));

// Loaded before the snapshot is taken, so that no run pays for them.
const PRELOADED =
  "abc base64 collections dataclasses enum functools hashlib itertools json math re string struct typing unicodedata urllib.parse";

const ENVIRONMENT = { HOME: "/", PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" };

// Closes the host's own doors to contracts, even by the way of `sys.modules`. Nothing that refers to JavaScript may be
// garbage when the memory image is taken: every run would free it again.
const BOOT = `
import gc
import sys
from genlayer._host import answer_calls_with, compile_contract, execute, schema
for name in [name for name in sys.modules if name.split(".")[0] in ("js", "pyodide_js", "micropip")]:
    del sys.modules[name]
gc.collect()
gc.freeze()
`;

/** Calls out of the interpreter, answered synchronously. */
export type HostFunction = (kind: string, payload: string) => string;

// The parts of Pyodide that this module uses; some are beyond its published types.
interface Python {
  readonly FS: { mkdirTree(path: string): void; writeFile(path: string, text: string): void };
  readonly globals: { get(name: string): unknown };
  readonly _module: {
    readonly HEAPU8: Uint8Array;
    stackSave(): number;
    stackRestore(pointer: number): void;
  };
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
}
type PythonFunction = (...values: string[]) => string;
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

async function loadPython(
  snapshot: { _makeSnapshot: true } | { _loadSnapshot: Uint8Array },
): Promise<Python> {
  const options: Parameters<typeof loadPyodide>[0] = {
    indexURL: PYODIDE_DIRECTORY,
    env: ENVIRONMENT,
    ...snapshot,
  };
  return (await loadPyodide(options)) as unknown as Python;
}

/** @returns a name for the snapshot that changes with everything that goes into it */
export function snapshotName(): string {
  const hash = createHash("sha256").update(BOOT).update(PRELOADED).update(JSON.stringify(ENVIRONMENT));
  for (const [name, text] of sdkSources()) {
    hash.update(`${name}\0${text}\0`);
  }
  const manifest: unknown = JSON.parse(readFileSync(`${PYODIDE_DIRECTORY}/package.json`, "utf8"));
  hash.update(JSON.stringify(manifest));
  return `python-${hash.digest("hex").slice(0, 24)}.bin`;
}

/** Starts CPython the slow way and takes the memory image that {@link startInterpreter} needs. */
export async function makeSnapshot(): Promise<Uint8Array> {
  const python = await loadPython({ _makeSnapshot: true });
  python.FS.mkdirTree("/sdk/genlayer");
  for (const [name, text] of sdkSources()) {
    python.FS.writeFile(`/sdk/genlayer/${name}`, text);
  }
  python.runPython(
    `import sys\nsys.path.insert(0, "/sdk")\nimport ${PRELOADED.split(" ").join(", ")}\nimport genlayer._host`,
  );
  return python.makeMemorySnapshot();
}

/** One interpreter. Not reentrant. */
export interface Interpreter {
  /** @returns the JSON answer of `genlayer._host.execute` */
  execute(request: string, code: Uint8Array, state: Uint8Array, calldata: Uint8Array): string;
  /** @returns the JSON answer of `genlayer._host.schema` */
  schema(code: Uint8Array): string;
  /** Bytes of memory in use so far; it never shrinks. */
  readonly heapBytes: number;
}

/**
 * Starts an interpreter from a snapshot.
 *
 * @param memoryBytes memory beyond which allocation fails with Python's MemoryError
 */
export async function startInterpreter(
  snapshot: Uint8Array,
  host: HostFunction,
  memoryBytes: number,
): Promise<Interpreter> {
  limitMemory(memoryBytes);
  const python = await loadPython({ _loadSnapshot: snapshot });
  python.runPython(BOOT);
  const compile = python.globals.get("compile_contract") as PythonFunction;
  const run = python.globals.get("execute") as PythonFunction;
  const describe = python.globals.get("schema") as PythonFunction;
  const internals = python._module;
  const byteCodes = new Map<string, string>();

  const byteCode = (code: Uint8Array): string => {
    const key = createHash("sha256").update(code).digest("hex");
    const known = byteCodes.get(key);
    if (known !== undefined) {
      return known;
    }
    const bytes = compile(hex(code));
    byteCodes.set(key, bytes);
    return bytes;
  };

  (python.globals.get("answer_calls_with") as (host: HostFunction) => void)(host);
  // Only strings cross from here on: a proxy made later would outlive the memory that it points into.
  const image = internals.HEAPU8.slice();
  const stack = internals.stackSave();
  const restore = (): void => {
    const heap = internals.HEAPU8;
    heap.set(image);
    heap.fill(0, image.length);
    internals.stackRestore(stack);
  };

  const isolated = (task: () => string): string => {
    try {
      return task();
    } finally {
      restore();
    }
  };

  return {
    execute: (request, code, state, calldata) =>
      isolated(() => run(request, byteCode(code), hex(state), hex(calldata))),
    schema: (code) => isolated(() => describe(byteCode(code))),
    get heapBytes() {
      return internals.HEAPU8.length;
    },
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function sdkSources(): [string, string][] {
  return readdirSync(SDK_DIRECTORY)
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => [name, readFileSync(SDK_DIRECTORY + name, "utf8")]);
}

// WebAssembly's own maximum is fixed when the interpreter is built, so the limit stands where memory grows.
function limitMemory(bytes: number): void {
  const pageBytes = 65_536;
  const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } })
    .WebAssembly.Memory;
  const grow = Object.getOwnPropertyDescriptor(prototype, "grow")?.value as (pages: number) => number;
  prototype.grow = function (this: WasmMemory, pages: number): number {
    if (this.buffer.byteLength + pages * pageBytes > bytes) {
      throw new RangeError(`more than ${bytes} bytes of memory`);
    }
    return grow.call(this, pages);
  };
}
