import { writeFile } from "node:fs/promises";
import { ProtocolError, readSettlement, writeSettlement, type Settlement } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { readBounded } from "./deal-file.ts";

/** Most bytes of a settlement's file. */
const MOST_BYTES = 64 * 1024;

/** @throws UsageError when the file is no settlement. */
export async function openSettlement(path: string): Promise<Settlement> {
  try {
    return readSettlement(await readBounded(path, MOST_BYTES));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new UsageError(`${path} is no settlement`, "Give the file that `assay settle propose` wrote.", {
      cause: error,
    });
  }
}

/** Replaces a settlement's file by the same one with another signature. */
export async function updateSettlement(path: string, settlement: Settlement): Promise<void> {
  await writeFile(path, writeSettlement(settlement));
}
