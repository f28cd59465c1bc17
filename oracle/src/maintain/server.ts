import { randomBytes, timingSafeEqual } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Clock } from "../observe/index.ts";
import { errorText } from "../observe/index.ts";
import type { Store } from "../store/index.ts";
import { MaintenanceError } from "./errors.ts";
import { perform, type MaintenanceCommand } from "./perform.ts";
import { ADMIN_FILE, commandSchema } from "./wire.ts";

/** Bytes of a command that are read at most. */
const MAX_COMMAND = 65_536;

/** The door for maintenance commands to a running operator. */
export interface AdminServer {
  close(): Promise<void>;
}

/**
 * Takes commands for a store that this process has to itself: on loopback only, and only from whoever can read the file
 * in the operator's folder that names the port and holds a token made for this run.
 */
export async function serveAdmin(options: {
  readonly dataDir: string;
  readonly store: Store;
  readonly clock: Clock;
  /** Called after a command, so that what it changed is noticed at once. */
  readonly changed: () => void;
}): Promise<AdminServer> {
  const { dataDir, store, clock, changed } = options;
  const token = randomBytes(32).toString("hex");
  const file = join(dataDir, ADMIN_FILE);

  async function answer(request: IncomingMessage): Promise<readonly [number, unknown]> {
    if (!isToken(request.headers.authorization, token)) return [401, { error: { message: "no such door" } }];
    try {
      const command = commandSchema.parse(JSON.parse(await bodyOf(request)));
      refuseOnline(command);
      const outcome = await perform(store, command, clock.now());
      changed();
      return [200, { outcome }];
    } catch (error) {
      if (error instanceof MaintenanceError)
        return [400, { error: { code: error.code, message: error.message, hint: error.hint } }];
      return [500, { error: { message: errorText(error) } }];
    }
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      send(response, status, body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  // A file of a killed predecessor is replaced; its token died with it.
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify({ port, token }), { mode: 0o600 });

  return {
    async close() {
      await rm(file, { force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What can't be done under a running operator's feet. */
function refuseOnline(command: MaintenanceCommand): void {
  if (command.name === "rebuild")
    throw new MaintenanceError(
      "operator_running",
      "the operator is running",
      "Stop it, rebuild, and start it again: it then reads the chain from that block.",
    );
}

function isToken(header: string | undefined, token: string): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(header ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_COMMAND)
      throw new MaintenanceError("bad_argument", "the command is too long", "Shorten the reason.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
