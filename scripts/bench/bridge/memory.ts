import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BLOCKS_PER_AGREEMENT } from "./catch-up.ts";
import { copyOf } from "./copy.ts";
import type { Ground } from "./live.ts";
import { createBench } from "./world.ts";

/** Runs the service alone in a process, with the chain behind HTTP, and gives the most memory that it had, in MiB. */
export async function measureMemory({ dataDir, open }: Ground, seconds: number): Promise<number> {
  const copy = await copyOf(dataDir);
  const bench = await createBench({
    dataDir: copy,
    pastBlocks: open * BLOCKS_PER_AGREEMENT,
    pastAgreements: open,
    known: true,
    blockMilliseconds: 500,
    pollMilliseconds: 500,
    finalAfter: () => 0,
  });
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString()) as {
        id: number;
        method: string;
        params: unknown[];
      };
      void bench.chain.rpc
        .send(method, params)
        .then(
          (result) => ({ result }),
          (error: unknown) => ({ error: { code: -32_000, message: String(error) } }),
        )
        .then((body) => response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body })));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const child = spawn(
      process.execPath,
      [new URL("./memory-child.ts", import.meta.url).pathname, url, copy, String(seconds)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    await once(child, "close");
    return Number(output);
  } finally {
    server.closeAllConnections();
    server.close();
    await bench.chain.stop();
    await rm(copy, { recursive: true, force: true });
  }
}
