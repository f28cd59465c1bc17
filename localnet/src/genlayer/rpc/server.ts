import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { LocalnetError } from "../../errors.ts";
import type { RpcFault, RpcFaultPlan } from "../faults/rpc-faults.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";
import { isObject } from "./params.ts";

/** Answers one method. Throws {@link RpcError} for an error answer. */
export type RpcMethod = (params: readonly unknown[]) => unknown;

/** How the server is set up. */
export interface RpcServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Calls that come before the methods are there wait for them. */
  readonly methods: Promise<Readonly<Record<string, RpcMethod>>>;
  readonly faults: RpcFaultPlan;
  /** Methods with this prefix never meet a fault, so that a broken network can be mended. */
  readonly controlPrefix: string;
}

/** A running server. */
export interface RpcServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Bytes; a submission of the largest size takes about 3 MiB on the wire. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Any page may read the network, as with Studio. */
const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST, OPTIONS",
  "access-control-allow-headers": "content-type",
};

/**
 * Starts a JSON-RPC 2.0 server over HTTP: POST to any path, single calls and batches.
 *
 * @throws {@link LocalnetError} `PORT_IN_USE`, `ENVIRONMENT`
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const server = createServer((request, response) => void serve(options, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(options, error)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenError({ host, port }: RpcServerOptions, cause: NodeJS.ErrnoException): LocalnetError {
  return cause.code === "EADDRINUSE"
    ? new LocalnetError(
        "PORT_IN_USE",
        `Port ${port} on ${host} is in use, so the GenLayer network cannot listen on it.`,
        "Stop what listens there, or choose another port (0 picks a free one).",
        { cause },
      )
    : new LocalnetError(
        "ENVIRONMENT",
        `The GenLayer network cannot listen on ${host}:${port} (${cause.code ?? cause.message}).`,
        "Choose another host or port.",
        { cause },
      );
}

/** An answer below JSON-RPC. */
interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Thrown to close the connection without an answer. */
class HangUp extends Error {}

/** Thrown to answer below JSON-RPC. */
class HttpFault extends Error {
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super();
    this.answer = answer;
  }
}

async function serve(
  options: RpcServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    send(response, await respond(options, request));
  } catch (error) {
    if (error instanceof HttpFault) send(response, error.answer);
    else response.destroy();
  }
}

async function respond(options: RpcServerOptions, request: IncomingMessage): Promise<HttpAnswer> {
  if (request.method === "OPTIONS") return { status: 204, contentType: "text/plain", body: "" };
  if (request.method !== "POST") return json(405, failure(null, RPC_ERRORS.invalidRequest, "use POST"));
  const body = await readBody(request);
  if (body === undefined)
    return json(413, failure(null, RPC_ERRORS.invalidRequest, "the request is too large"));
  let call: unknown;
  try {
    call = JSON.parse(body);
  } catch {
    return json(200, failure(null, RPC_ERRORS.parseError, "the request is not JSON"));
  }
  return json(
    200,
    Array.isArray(call)
      ? await Promise.all(call.map((each) => answer(options, each)))
      : await answer(options, call),
  );
}

async function answer(options: RpcServerOptions, call: unknown): Promise<unknown> {
  if (!isObject(call) || typeof call["method"] !== "string") {
    return failure(null, RPC_ERRORS.invalidRequest, "the request is not a JSON-RPC call");
  }
  const { id = null, method, params = [] } = call;
  const positional = Array.isArray(params) ? params : [params];
  const fault = method.startsWith(options.controlPrefix) ? undefined : options.faults.draw(method);
  try {
    return { jsonrpc: "2.0", id, result: await withFault(options, method, positional, fault) };
  } catch (error) {
    if (error instanceof HangUp || error instanceof HttpFault) throw error;
    if (error instanceof RpcError) return failure(id, error.code, error.message, error.data);
    return failure(id, RPC_ERRORS.internal, error instanceof Error ? error.message : String(error));
  }
}

async function withFault(
  options: RpcServerOptions,
  method: string,
  params: readonly unknown[],
  fault: RpcFault | undefined,
): Promise<unknown> {
  switch (fault?.effect) {
    case "result":
      return fault.result;
    case "error":
      throw new RpcError(fault.code, fault.message);
    case "http":
      throw new HttpFault(fault);
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
      return await invoke(options, method, params);
    case "stale":
      return options.faults.firstAnswer(
        JSON.stringify([method, params]),
        await invoke(options, method, params),
      );
    case "hang-up":
      await invoke(options, method, params);
      throw new HangUp();
    case undefined:
      return await invoke(options, method, params);
  }
}

async function invoke(
  options: RpcServerOptions,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const methods = await options.methods;
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handler === undefined) throw new RpcError(RPC_ERRORS.methodNotFound, `Method not found: ${method}`);
  return (await handler(params)) ?? null;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function failure(id: unknown, code: number, message: string, data?: unknown): unknown {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

function json(status: number, body: unknown): HttpAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, contentType, body }: HttpAnswer): void {
  response.writeHead(status, { ...CORS_HEADERS, "content-type": contentType });
  response.end(body);
}
