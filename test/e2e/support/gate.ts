import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server that can be shut, as a network is when it is cut. */
export interface Gate {
  /** The server's URL, through the gate. */
  readonly url: string;
  /** Ends what is under way, and lets nothing through until it is opened. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function createGate(target: string): Promise<Gate> {
  const { hostname, port, pathname } = new URL(target);
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((inner) => {
    if (isShut) {
      inner.destroy();
      return;
    }
    const outer = connect(Number(port), hostname);
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const shut = (): void => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === "/" ? "" : pathname}`,
    shut,
    open: () => {
      isShut = false;
    },
    close: async () => {
      shut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
