import { createHash, randomUUID } from "node:crypto";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalnetError } from "../errors.ts";
import { bareEnvironment, requirePackage } from "../process/index.ts";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const SUBGRAPH = join(REPOSITORY, "subgraph");
const BUILDS = join(SUBGRAPH, "build");
const ARTIFACTS = join(REPOSITORY, "artifacts/contracts-evm/interfaces");

const TEMPLATE = "subgraph.template.yaml";
const MANIFEST = "subgraph.yaml";
/** The interfaces whose events are indexed; their ABIs come from Hardhat's artifacts at each build. */
const INTERFACES = ["IAgreementEscrow", "IVerdictQuorum", "IErc8183Evaluator", "IExecutionProofGate"];
const COMMAND_MILLISECONDS = 180_000;

/** Where a subgraph's contracts are. */
export interface SubgraphTarget {
  /** The network's name in graph-node, such as "localhost" or "base". */
  network: string;
  /** AgreementEscrow's address. */
  escrow: string;
  /** VerdictQuorum's address. */
  quorum: string;
  /** Erc8183Evaluator's address; its events are not indexed when it is left out. */
  evaluator?: string;
  /** ExecutionProofGate's address; its events are not indexed when it is left out. */
  gate?: string;
  /** The block in which the first of them was deployed. */
  startBlock: number;
}

/** A compiled subgraph that is not yet bound to any addresses. */
export interface CompiledSubgraph {
  /** Named by the hash of its sources, and never changed once it is there. */
  folder: string;
  /** False when an earlier build of the same sources was found. */
  rebuilt: boolean;
}

/** Unlikely values that stand for the target while graph-cli compiles; it takes no manifest with holes. */
const STAND_IN: Required<SubgraphTarget> = {
  network: "assay-target-network",
  escrow: "0x00000000000000000000000000000000000e5c40",
  quorum: "0x000000000000000000000000000000000090f04a",
  evaluator: "0x00000000000000000000000000000000000e8183",
  gate: "0x00000000000000000000000000000000009a7e00",
  startBlock: 1_987_654_321,
};

/**
 * Compiles the subgraph with graph-cli (`codegen`, then `build`), unless these very sources are compiled already.
 * Needs the contracts' artifacts, works without a network, and leaves the committed files alone. Several processes
 * may build at once.
 *
 * @throws {@link LocalnetError} `BAD_STATE` with graph-cli's own words when the sources don't compile.
 */
export async function buildSubgraph(): Promise<CompiledSubgraph> {
  const sources = readSources();
  const folder = join(BUILDS, hashOf(sources));
  if (existsSync(folder)) return { folder, rebuilt: false };

  const work = join(BUILDS, `.${randomUUID()}`);
  try {
    await writeAll(work, sources);
    await writeFile(join(work, MANIFEST), bind(await readFile(join(work, TEMPLATE), "utf8"), STAND_IN));
    const graph = join(requirePackage("graph-cli", "@graphprotocol/graph-cli", SUBGRAPH), "bin/run.js");
    await runGraph(graph, ["codegen"], work);
    await runGraph(graph, ["build"], work);
    const built = join(work, "build", MANIFEST);
    await writeFile(join(work, "build", TEMPLATE), unbind(await readFile(built, "utf8")));
    await rm(built);
    await rm(join(work, MANIFEST));
    await replaceBuilds(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { folder, rebuilt: true };
}

/**
 * Makes a subgraph folder that graph-node and graph-cli take as it is: the compiled subgraph with its manifests
 * bound to a target.
 *
 * @param folder - Where to put it; created when missing.
 * @returns The manifest's path.
 */
export async function placeSubgraph(
  compiled: CompiledSubgraph,
  target: SubgraphTarget,
  folder: string,
): Promise<string> {
  requireTarget(target);
  await cp(compiled.folder, folder, { recursive: true });
  for (const part of [".", "build"]) {
    const template = await readFile(join(compiled.folder, part, TEMPLATE), "utf8");
    await writeFile(join(folder, part, MANIFEST), bind(template, target));
  }
  return resolve(folder, MANIFEST);
}

/** Holes that a target may leave empty; their data sources are left out then. */
const OPTIONAL = ["evaluator", "gate"] as const;

/** Fills a template's holes. */
function bind(template: string, target: SubgraphTarget): string {
  const missing = OPTIONAL.filter((name) => target[name] === undefined);
  const wanted = template
    .split(/^(?= {2}- kind: ethereum$)/m)
    .filter((part) => !missing.some((name) => part.includes(`$${name}`) && part.startsWith("  - kind")))
    .join("");
  return wanted.replaceAll(/\$(\w+)/g, (hole, name: string) => {
    if (!Object.hasOwn(target, name)) {
      throw new LocalnetError(
        "BAD_STATE",
        `The manifest template has an unknown ${hole}.`,
        `Use ${Object.keys(target).join(", ")}.`,
      );
    }
    return String(target[name as keyof SubgraphTarget]);
  });
}

/** Makes a template of a manifest that was bound to the stand-in. */
function unbind(manifest: string): string {
  return Object.entries(STAND_IN).reduce(
    (text, [name, value]) => text.replaceAll(String(value), () => `$${name}`),
    manifest,
  );
}

function requireTarget(target: SubgraphTarget): void {
  const refuse = (message: string, hint: string): never => {
    throw new LocalnetError("BAD_OPTION", message, hint);
  };
  const { network, escrow, quorum, startBlock } = target;
  if (!/^[a-z0-9-]+$/.test(network)) {
    refuse(`"${network}" is no network name.`, "Use graph-node's name: lower-case letters, digits, hyphens.");
  }
  for (const address of [escrow, quorum, ...OPTIONAL.flatMap((name) => target[name] ?? [])]) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
      refuse(`"${address}" is no contract address.`, "Give 0x and 40 hex digits.");
    }
  }
  if (!Number.isSafeInteger(startBlock) || startBlock < 0) {
    refuse(`${startBlock} is no block number.`, "Give the block in which the escrow was deployed.");
  }
}

/** Everything a build depends on, by path in the build folder. */
function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  const names = readdirSync(join(SUBGRAPH, "src"), { recursive: true, encoding: "utf8" });
  for (const name of [TEMPLATE, "schema.graphql", ...names.map((name) => join("src", name)).sort()]) {
    if (/\.(ts|graphql|yaml)$/.test(name)) sources.set(name, readFileSync(join(SUBGRAPH, name), "utf8"));
  }
  for (const name of INTERFACES) sources.set(join("abis", `${name}.json`), readAbi(name));
  // graph-cli looks its name and dependencies up; its version belongs to what the result depends on.
  sources.set("package.json", readFileSync(join(SUBGRAPH, "package.json"), "utf8"));
  return sources;
}

function readAbi(name: string): string {
  const artifact = join(ARTIFACTS, `${name}.sol`, `${name}.json`);
  if (!existsSync(artifact)) {
    throw new LocalnetError(
      "BAD_STATE",
      `The subgraph can't be built: the contracts are not compiled (${name} has no artifact).`,
      "Run `npm run build`.",
    );
  }
  const { abi } = JSON.parse(readFileSync(artifact, "utf8")) as { abi: { type: string }[] };
  // Functions and errors are left out: mappings call nothing, and a new error message should cost no new build.
  return `${JSON.stringify(
    abi.filter(({ type }) => type === "event"),
    null,
    2,
  )}\n`;
}

function hashOf(sources: Map<string, string>): string {
  const hash = createHash("sha256");
  for (const [name, text] of sources) hash.update(`${name}\0${text}\0`);
  return hash.digest("hex").slice(0, 16);
}

async function writeAll(folder: string, files: Map<string, string>): Promise<void> {
  for (const [name, text] of files) {
    const path = join(folder, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
  }
}

/** Puts a finished build in its place and removes those of other sources. */
async function replaceBuilds(work: string, folder: string): Promise<void> {
  for (const name of readdirSync(BUILDS)) {
    if (/^[0-9a-f]{16}$/.test(name)) await rm(join(BUILDS, name), { recursive: true, force: true });
  }
  await rename(work, folder).catch((error: unknown) => {
    // Somebody else finished the same build first, and theirs is as good.
    if (!existsSync(folder)) throw error;
  });
}

function runGraph(program: string, args: string[], cwd: string): Promise<void> {
  const env = {
    ...bareEnvironment(tmpdir()),
    // Its look for a newer version is the only connection that graph-cli would make.
    GRAPH_SKIP_NEW_VERSION_CHECK: "true",
    DISABLE_COLORS: "1",
    NO_COLOR: "1",
  };
  return new Promise((done, reject) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd, env, timeout: COMMAND_MILLISECONDS, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) done();
        else {
          const said = `${stdout}\n${stderr}`.trim().split("\n").slice(-40).join("\n");
          reject(
            new LocalnetError("BAD_STATE", `graph ${args.join(" ")} failed.`, `It said:\n${said}`, {
              cause: error,
            }),
          );
        }
      },
    );
  });
}
