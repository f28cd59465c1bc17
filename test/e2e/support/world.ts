import { JOINT_CASES } from "../../../scripts/demo/joint.ts";
import { startStack, type Stack } from "../../../scripts/local/stack.ts";

let opening: Promise<Stack> | undefined;

/**
 * The whole system, which all files of these tests share: it is started for the first that asks, and ends with the last.
 * A file leaves every operator running as it found it; the chain's clock may stand hours ahead of this
 * machine's.
 */
export function openStack(): Promise<Stack> {
  opening ??= startStack({
    blockTimeSeconds: 0.25,
    pollMilliseconds: 100,
    finalityWindowSeconds: 0.5,
    rounds: 2,
    guests: JOINT_CASES.length,
  });
  return opening;
}

after("the stack ends", async function () {
  this.timeout(60_000);
  await (await opening?.catch(() => undefined))?.stop();
});
