import { readFile } from "node:fs/promises";
import {
  ProtocolError,
  isEnvelope,
  openEnvelope,
  parseStrict,
  readEvidence,
  type OpenedEnvelope,
} from "@assay/protocol";
import { UsageError } from "./errors.ts";

/**
 * Reads a bundle, or the in-toto envelope around one.
 *
 * @throws UsageError when the file is neither, or an envelope's signature is not its key's.
 */
export async function readBundleFile(path: string): Promise<OpenedEnvelope> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new UsageError(`${path} can't be read`, "Give the path of a file that `assay bundle` wrote.", {
      cause: error,
    });
  }
  try {
    const value = parseStrict(bytes);
    return isEnvelope(value) ? openEnvelope(value) : { evidence: readEvidence(value), signers: [] };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new UsageError(`${path} is no verdict bundle: ${error.message}`, error.hint, { cause: error });
  }
}
