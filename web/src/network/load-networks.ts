import { parseNetworks, type Profile } from "@assay/protocol";

const TIMEOUT_MILLISECONDS = 10_000;

/**
 * Reads which networks this page works on.
 *
 * @throws ConfigurationError when the page's own server does not tell, or tells something else.
 */
export async function loadNetworks(): Promise<readonly Profile[]> {
  try {
    const response = await fetch("/assay.json", { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (!response.ok) throw new Error(`the server answered with ${response.status}`);
    return parseNetworks(await response.text());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`/assay.json, which names the networks, can't be used: ${reason}`, {
      cause: error,
    });
  }
}

/** The page was deployed without a usable configuration. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
