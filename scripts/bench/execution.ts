/**
 * Measures the verification of executions: `npm run bench:execution -- [--json]`.
 *
 * - `stepsPerSecond`: steps that `verifyExecution` verifies in a second of one core's time, in walks of 100 steps with
 *   paths of 32 bytes. It is measured in CPU time of this process, so a busy machine counts less.
 * - `stepsPerSecondElapsed`: the same by the clock.
 */
import { parseArgs } from "node:util";

import {
  attestationHash,
  committedRoot,
  type ExecutionClaim,
  fold,
  type Hex,
  sequenceHash,
  sha256,
  type Step,
  stepNonce,
  utf8Encode,
  verifyExecution,
} from "@assay/protocol";

const BAR = 50_000;
const STEPS = 100;
const WARM_UP_WALKS = 300;
const WALKS = 3_000;

const hashOf = (text: string): Hex => sha256(utf8Encode(text));

function walk(): ExecutionClaim {
  const nonce = hashOf("nonce");
  const steps = Array.from({ length: STEPS }, (_, index): Step => ({
    index,
    method: "GET",
    pathTemplate: `/api/v1/agents/{name}/parts/${String(index).padStart(4, "0")}`,
    auth: index % 2 === 0,
  }));
  const root = committedRoot(nonce, sequenceHash(steps));
  let chain = root;
  const records = steps.map((step) => {
    const record = {
      index: step.index,
      requestHash: hashOf(`request ${step.index}`),
      responseHash: hashOf(`response ${step.index}`),
    };
    chain = fold(chain, attestationHash(step, record, stepNonce(nonce, step.index)));
    return record;
  });
  return { nonce, steps, records, terminal: chain, committedRoot: root };
}

function verifyWalks(claim: ExecutionClaim, count: number): void {
  for (let index = 0; index < count; index += 1) {
    if (!verifyExecution(claim).valid) throw new Error("a walk that is right was refused");
  }
}

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const claim = walk();
verifyWalks(claim, WARM_UP_WALKS);
const cpuBefore = process.cpuUsage();
const started = performance.now();
verifyWalks(claim, WALKS);
const elapsedSeconds = (performance.now() - started) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const figures = {
  stepsPerSecond: Math.round((WALKS * STEPS) / ((cpu.user + cpu.system) / 1e6)),
  stepsPerSecondElapsed: Math.round((WALKS * STEPS) / elapsedSeconds),
};
if (values.json) console.log(JSON.stringify(figures));
else {
  console.log(`steps per second of CPU time  ${figures.stepsPerSecond}   bar ${BAR}`);
  console.log(`steps per second elapsed      ${figures.stepsPerSecondElapsed}`);
}
