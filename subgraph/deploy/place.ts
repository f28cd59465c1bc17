import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildSubgraph, LocalnetError, placeSubgraph } from "@assay/localnet";
import { targetOf, TargetError } from "./target.ts";

const USAGE = `Usage: node subgraph/deploy/place.ts <network> [options]

Makes subgraph/build/networks/<network>, a folder that graph-cli can deploy, from the deployment in networks.json.

  --escrow <address>       AgreementEscrow, instead of networks.json
  --quorum <address>       VerdictQuorum, instead of networks.json
  --evaluator <address>    Erc8183Evaluator, where there is one
  --gate <address>         ExecutionProofGate, where there is one
  --start-block <number>   the block in which the first of them was deployed, instead of networks.json
  --help                   this text
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      escrow: { type: "string" },
      quorum: { type: "string" },
      evaluator: { type: "string" },
      gate: { type: "string" },
      "start-block": { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
  } else {
    const target = targetOf(positionals[0], {
      ...(values.escrow === undefined ? {} : { escrow: values.escrow }),
      ...(values.quorum === undefined ? {} : { quorum: values.quorum }),
      ...(values.evaluator === undefined ? {} : { evaluator: values.evaluator }),
      ...(values.gate === undefined ? {} : { gate: values.gate }),
      ...(values["start-block"] === undefined ? {} : { startBlock: values["start-block"] }),
    });
    const folder = fileURLToPath(new URL(`../build/networks/${target.network}`, import.meta.url));
    await rm(folder, { recursive: true, force: true });
    await placeSubgraph(await buildSubgraph(), target, folder);
    process.stdout.write(`${folder}\n`);
  }
} catch (error) {
  const usage = error instanceof TypeError && "code" in error;
  if (!(error instanceof LocalnetError || error instanceof TargetError || usage)) throw error;
  process.stderr.write(`${error.message}\n${usage ? `\n${USAGE}` : ""}`);
  process.exitCode = 1;
}
