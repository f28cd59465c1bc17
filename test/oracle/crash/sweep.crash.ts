/**
 * The crash sweep: a process, kill -9, at every effect boundary, for every outcome. Too slow for every run of the tests;
 * `mocha test/oracle/crash/*.crash.ts` runs all of it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { bareEnvironment } from "@assay/localnet";
import type { Hex } from "@assay/protocol";
import type { Operator } from "../../../oracle/src/index.ts";
import { ENDINGS, deathsOf, type Death, type Ending } from "../support/deaths.ts";
import { serveRpc } from "../support/serve-rpc.ts";
import { hash } from "../support/states.ts";
import {
  createWorld,
  dealOf,
  put,
  submissionOf,
  submissionView,
  until,
  type World,
} from "../support/world.ts";

const VICTIM = join(import.meta.dirname, "victim.ts");
const SETTINGS = { ASSAY_DOCUMENT_WINDOW_SECONDS: "30" };

describe("crash sweep", () => {
  for (const ending of ENDINGS)
    for (const death of deathsOf(ending))
      it(`${ending.outcome} is settled once after kill -9 at ${death[0]}, passage ${death[1]}`, () =>
        survive(ending, death)).timeout(90_000);
});

async function survive(ending: Ending, [boundary, passage]: Death): Promise<void> {
  const world = await createWorld({ ...SETTINGS });
  const evm = await serveRpc(world.evm.rpc());
  try {
    world.genLayer.plans = [...ending.plans];
    const victim = spawn(process.execPath, [VICTIM, boundary, String(passage)], {
      env: {
        ...bareEnvironment(tmpdir()),
        ...world.env,
        ASSAY_EVM_RPC_URL: evm.url,
        ASSAY_LOG_LEVEL: "silent",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const death = once(victim, "close");
    const agreementId = await begin(world, ending, victim.stdout);
    const end = await Promise.race([death, mined(world)]);
    expect((end as unknown[] | null)?.[1], `never came to ${boundary}`).to.equal("SIGKILL");

    const operator = await world.start();
    await until(world, operator, agreementId, ["SETTLED"], { seconds: 2, timeout: 30_000 });
    const view = await submissionView(operator, agreementId);
    expect(view?.verdict?.outcome).to.equal(ending.outcome);
    expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([ending.code]);
    expect(world.genLayer.transactions).to.have.length(ending.plans.length);
    expect(world.evm.broadcast.size).to.equal(1);
  } finally {
    await evm.stop();
    await world.end();
  }
}

/** Blocks come until somebody else ends the wait, or far too long has passed. */
async function mined(world: World): Promise<null> {
  for (let turn = 0; turn < 1_000; turn++) {
    world.evm.mine(1, 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}

/** Funds and submits, and sees to it that the documents are stored. */
async function begin(world: World, ending: Ending, stdout: NodeJS.ReadableStream): Promise<Hex> {
  const deal = dealOf(world);
  const agreementId = world.evm.fund(deal.terms);
  const submission = submissionOf(agreementId);
  const isWithheld = ending.outcome === "WITHHELD";
  const documents = isWithheld ? [deal.agreementBytes] : [deal.agreementBytes, submission.bytes];
  const url = await listening(stdout);
  if (url === null || !(await give({ url }, documents))) {
    // The first boundaries come before the victim has the documents: they come with a restart then.
    const operator = await world.start();
    await give(operator, documents);
    await operator.stop();
  }
  world.evm.submit(agreementId, isWithheld ? hash(0x77) : submission.hash);
  return agreementId;
}

/** Where the victim listens; null when it died before it said so. */
async function listening(stdout: NodeJS.ReadableStream): Promise<string | null> {
  const line = await Promise.race([
    once(stdout, "data").then(([data]) => String(data)),
    once(stdout, "close").then(() => null),
  ]);
  return line === null ? null : (JSON.parse(line) as { url: string }).url;
}

/** Whether the operator lived to store all of the documents. */
async function give(operator: Pick<Operator, "url">, documents: readonly Uint8Array[]): Promise<boolean> {
  for (const bytes of documents) {
    const stored = await put(operator, bytes).catch(() => null);
    if (stored?.ok !== true) return false;
  }
  return true;
}
