import { homedir } from "node:os";
import { join } from "node:path";

/** Assay's own folder: wallets, network profiles, and the journal of what was sent. */
export function assayHome(env: Readonly<Record<string, string | undefined>>): string {
  return env["ASSAY_HOME"] ?? join(homedir(), ".assay");
}
