import type { Profile } from "@assay/protocol";

/** Places that the page may talk to, beside the one that it came from. */
export function connectOrigins(networks: readonly Profile[]): string[] {
  const urls = networks.flatMap(({ evm, genLayerRpcUrl, operators, gateways, index }) => [
    evm.rpcUrl,
    ...[genLayerRpcUrl, index].filter((url) => url !== undefined),
    ...operators,
    ...gateways,
  ]);
  return [...new Set(urls.map((url) => new URL(url).origin))].sort();
}

/**
 * The page's policy: its own scripts and styles, nothing inline, no frame around it, and requests to nobody but the
 * places that its networks name. Images may be `data:` URIs, as wallets announce their icons.
 */
export function contentSecurityPolicy(origins: readonly string[]): string {
  return Object.entries({
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "connect-src": ["'self'", ...origins],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "frame-ancestors": ["'none'"],
    "require-trusted-types-for": ["'script'"],
    "trusted-types": ["'none'"],
  })
    .map(([name, values]) => `${name} ${values.join(" ")}`)
    .join("; ");
}

/** What every answer carries. */
export function securityHeaders(networks: readonly Profile[]): Record<string, string> {
  return {
    "content-security-policy": contentSecurityPolicy(connectOrigins(networks)),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Wallets open windows of their own and talk back to the page.
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "cross-origin-resource-policy": "same-origin",
  };
}
