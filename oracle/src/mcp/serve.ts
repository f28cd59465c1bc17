import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { serve, type HttpServer } from "../http/index.ts";
import { LONGEST_MESSAGE, createMcpHttp } from "./http.ts";
import { guardLines } from "./lines.ts";
import { createMcpServerFactory, type McpServices } from "./server.ts";

/**
 * Serves MCP on standard input and output until the client closes its end. Nothing else may be written to standard
 * output meanwhile.
 *
 * @param onError told of lines that are no messages, which are answered and end nothing.
 */
export function serveMcpStdio(
  services: McpServices,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  const input = guardLines(process.stdin, LONGEST_MESSAGE, (error) => {
    process.stdout.write(`${JSON.stringify(error)}\n`);
    onError(new Error(error.error.message));
  });
  const transport = new StdioServerTransport(input, process.stdout);
  return serveStdio(createMcpServerFactory(services), { transport, onerror: onError });
}

/**
 * Serves MCP over Streamable HTTP at `/mcp`, and nothing else.
 *
 * @param hostnames that Host and Origin may name, besides this machine's own.
 * @throws ListenError when the port can't be had.
 */
export async function serveMcpHttp(
  services: McpServices,
  options: { readonly host: string; readonly port: number; readonly hostnames: readonly string[] },
): Promise<HttpServer> {
  const mcp = createMcpHttp(services, () => options.hostnames);
  const fetch = (request: Request): Promise<Response> =>
    new URL(request.url).pathname === "/mcp"
      ? mcp.fetch(request)
      : Promise.resolve(new Response("MCP is at /mcp\n", { status: 404 }));
  const server = await serve({ fetch }, options.host, options.port);
  return {
    url: server.url,
    async close() {
      await mcp.close();
      await server.close();
    },
  };
}
