import { request as httpRequest } from "node:http";

/** A request as it goes over the wire: the target is not touched. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An answer, its body as latin1 text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request over a connection of its own; fetch would rewrite paths, and decode bodies. */
export function send(base: string, { method, target, headers, body }: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { hostname, port, method, path: target, headers: { ...headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("error", reject);
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as Record<string, string>,
            body: Buffer.concat(chunks).toString("latin1"),
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
