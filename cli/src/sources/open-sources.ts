import { statSync } from "node:fs";
import { gatewaySource, operatorSource, type Source } from "@assay/evidence";
import { documentCid } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { folderSource } from "./folder.ts";

/**
 * Sources by how they are written: a URL that ends in `/ipfs` is a gateway, any other URL an operator, the rest folders.
 *
 * @throws UsageError when something is neither a URL nor a folder.
 */
export function openSources(names: readonly string[]): Source[] {
  return names.map((name) => {
    if (/^https?:\/\//.test(name))
      return /\/ipfs\/*$/.test(name) ? gatewaySource(name, documentCid) : operatorSource(name);
    if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageError(
        `--source ${name} is no folder`,
        "Give an operator's URL, an IPFS gateway's URL that ends in /ipfs, or a folder of documents.",
      );
    return folderSource(name);
  });
}
