import { openJudgeNetwork } from "@assay/evidence";
import { findGenLayerNetwork, sha256 } from "@assay/protocol";
import type { Network } from "../options/network.ts";
import { fail, ok, warn, type DoctorFinding } from "./finding.ts";

/** The judge's network, and whether its code is the one that agreements pin. */
export async function examineJudge({ adjudication, genLayerRpcUrl }: Network): Promise<DoctorFinding[]> {
  if (adjudication === null)
    return [
      warn(
        "judge",
        "no profile says who judges",
        "Use a profile with an adjudication to draw up agreements.",
      ),
    ];
  const network = findGenLayerNetwork(adjudication.network);
  if (network === undefined)
    return [
      warn(
        "judge",
        `the judge's network ${JSON.stringify(adjudication.network)} is a private one`,
        "Nothing is known about it here; ask whoever runs it.",
      ),
    ];
  const judge = await openJudgeNetwork(network, genLayerRpcUrl);
  const chainId = await judge.chainId();
  if (chainId !== adjudication.chainId)
    return [
      fail(
        "judge",
        `the GenLayer endpoint is of chain ${chainId}, not of ${adjudication.chainId}`,
        "Correct genLayerRpcUrl in the profile.",
      ),
    ];
  const code = await judge.code(adjudication.contract);
  if (code === null)
    return [
      fail(
        "judge",
        `there is no contract at ${adjudication.contract} on ${network.name}`,
        "Correct the adjudication in the profile; after a reset of the network the judge has to be deployed again.",
      ),
    ];
  const hash = sha256(Buffer.from(code, "base64"));
  return hash === adjudication.codeHash
    ? [
        ok(
          "judge",
          `${adjudication.contract} on ${network.name}${network.simulated ? " (a simulation)" : ""}, code SHA-256 ${hash}`,
        ),
      ]
    : [
        fail(
          "judge",
          `the judge's code has SHA-256 ${hash}; the profile pins ${adjudication.codeHash}`,
          "Do not fund anything with this profile: no verdict of that code counts. Correct the profile.",
        ),
      ];
}
