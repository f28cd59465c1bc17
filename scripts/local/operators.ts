import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { claimPort, type LocalnetError } from "@assay/localnet";
import { adjudicatorConfigOf, type Address } from "@assay/protocol";
import { startOperatorProcess, type OperatorProcess } from "./operator.ts";
import type { Cast } from "./cast.ts";
import { allUp, type Started } from "./started.ts";
import type { Venue } from "./parties.ts";

/** ASSAY_… variables of an operator. */
export type Settings = Record<string, string>;

/** The operators of the local set: each a process with keys, a database and a port of its own. */
export interface Operators {
  /** Those that were started last, in the cast's order; one that was ended is still listed. */
  readonly all: readonly OperatorProcess[];
  /**
   * Ends an operator, unless it has ended, and starts it again on the same data and port.
   *
   * @param how "stop" for in good order, "kill" for kill -9
   * @param changes settings that differ from then on
   */
  restart(index: number, how: "stop" | "kill", changes?: Settings): Promise<void>;
  /** Resolves when one ends by itself. */
  readonly failed: Promise<LocalnetError>;
}

/**
 * Chooses the operators' ports: consecutive ones from `first`, or free ones.
 *
 * @throws LocalnetError when one is in use
 */
export function claimOperatorPorts(first: number | undefined, count: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: count }, (_unused, index) =>
      claimPort(
        first === undefined ? undefined : first + index,
        count === 1 ? "the operator" : `operator ${index + 1}`,
      ),
    ),
  );
}

/** Starts every operator of the set, and writes the operators.json from which each knows the others. */
export async function startOperators(
  started: Started,
  options: { cast: Cast; venue: Venue; folder: string; ports: number[]; common: Settings },
): Promise<Operators> {
  const { cast, venue, folder, ports, common } = options;
  await mkdir(folder, { recursive: true });
  const listFile = join(folder, "operators.json");
  await writeFile(listFile, `${JSON.stringify(operatorList(venue, cast, ports), null, 2)}\n`);

  const settings = await Promise.all(
    ports.map(async (port, index): Promise<Settings> => {
      const keys = cast.operators[index];
      if (!keys) throw new Error(`The cast has no operator ${index}`);
      const dataFolder = join(folder, `operator-${index + 1}`);
      await mkdir(dataFolder);
      return {
        ...common,
        ASSAY_OPERATORS_FILE: listFile,
        ASSAY_DATA_DIR: dataFolder,
        ASSAY_HTTP_PORT: String(port),
        ASSAY_ALLOW_ENV_KEYS: "1",
        ASSAY_ATTESTER_KEY: keys.attester.privateKey,
        ASSAY_SUBMITTER_KEY: keys.submitter.privateKey,
        ASSAY_RELAYER_KEY: keys.judgeRelayer.privateKey,
      };
    }),
  );
  const all = await allUp(
    ...settings.map((one, index) => started.add(`operator ${index + 1}`, startOperatorProcess(one))),
  );
  started.onStop(async () => {
    await Promise.all(all.map((operator) => operator.stop()));
  });
  return {
    all,
    restart: async (index, how, changes = {}) => {
      await all[index]?.[how]();
      settings[index] = { ...settings[index], ...changes };
      all[index] = await startOperatorProcess(settings[index]);
    },
    failed: Promise.race(all.map((operator) => operator.failed)),
  };
}

function operatorList({ chainId, quorum, members, threshold }: Venue, cast: Cast, ports: number[]): object {
  return {
    schema: "assay/operators/1",
    chainId,
    quorum,
    threshold,
    adjudicatorConfig: adjudicatorConfigOf(members, threshold),
    members: members.map((address) => {
      const index = cast.operators.findIndex(({ attester }) => (attester.address as Address) === address);
      return { address, url: `http://127.0.0.1:${ports[index] ?? 0}`, name: `Operator ${index + 1}` };
    }),
  };
}
