import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { createMcpServerFactory, type McpServices } from "./server.ts";

/** Bytes of one message; a preview holds two documents. */
export const LONGEST_MESSAGE = 1_048_576;

/** Serves MCP over Streamable HTTP, without sessions: each request stands for itself. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * @param hostnames of which Host and Origin may be, besides this machine's own: a page elsewhere that has a name point
 * here (DNS rebinding) is refused.
 */
export function createMcpHttp(services: McpServices, hostnames: () => readonly string[]): McpHttp {
  const handler = createMcpHandler(createMcpServerFactory(services), {
    maxRequestBodySize: LONGEST_MESSAGE,
  });
  return {
    fetch(request) {
      const named = hostnames();
      const refusal =
        hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...named]) ??
        originValidationResponse(request, [...localhostAllowedOrigins(), ...named]);
      return refusal === undefined ? handler.fetch(request) : Promise.resolve(refusal);
    },
    close: () => handler.close(),
  };
}
