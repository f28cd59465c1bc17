import { createServer } from "node:net";
import { LocalnetError } from "../errors.ts";

/**
 * Ports are drawn from here: above the well-known ones, below 32768, where Linux begins to hand out ports to
 * outgoing connections, so that none of those can take a port between its choice and its use.
 */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const ATTEMPTS = 200;

/** Ports this process has handed out; a child that is still starting has not bound its own yet. */
const handedOut = new Set<number>();

/** Binding all interfaces fails as well when somebody holds the port on loopback alone. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "0.0.0.0", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Chooses a TCP port that nobody listens on, on any interface.
 *
 * @throws {@link LocalnetError} `PORT_IN_USE` when none was found.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT + 1));
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) return port;
  }
  throw new LocalnetError(
    "PORT_IN_USE",
    `No free port was found between ${LOWEST_PORT} and ${HIGHEST_PORT}.`,
    "Stop what listens there, or name the ports yourself.",
  );
}

/**
 * Returns `port` when it can be bound, or a free one when it is undefined.
 *
 * @param user - Who wants it, for the message: "the EVM node".
 * @throws {@link LocalnetError} `PORT_IN_USE`, or `BAD_OPTION` when it is no port number.
 */
export async function claimPort(port: number | undefined, user: string): Promise<number> {
  if (port === undefined) return freePort();
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new LocalnetError(
      "BAD_OPTION",
      `${port} is no TCP port for ${user}.`,
      "Give a whole number from 1 to 65535, or leave it out to have a free one chosen.",
    );
  }
  if (await isFree(port)) return port;
  throw new LocalnetError(
    "PORT_IN_USE",
    `Port ${port}, wanted by ${user}, is in use.`,
    "Stop the program that listens there, or leave the port out to have a free one chosen.",
  );
}
