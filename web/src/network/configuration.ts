const TIMEOUT_MILLISECONDS = 10_000;

/**
 * The text of `/assay.json`, which says what networks this page works on.
 *
 * @throws ConfigurationError when the page's own server does not tell.
 */
export async function fetchConfiguration(): Promise<string> {
  try {
    const response = await fetch("/assay.json", { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (!response.ok) throw new Error(`the server answered with ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new ConfigurationError(error);
  }
}

/** The page was deployed without a usable configuration. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`/assay.json, which names the networks, can't be used: ${reason}`, { cause });
  }
}
