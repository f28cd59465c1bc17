import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import {
  RebuildRangeError,
  SignedOtherwiseError,
  StoreError,
  StoreLockedError,
  openSqliteStore,
  openStore,
  type Store,
} from "../../../oracle/src/store/index.ts";
import { fromWire, toWire } from "../../../oracle/src/store/sqlite/wire.ts";
import { rejection } from "../support/rejection.ts";
import { hash } from "../support/states.ts";
import { KEY, add, describeStore } from "./contract.ts";

const folders: string[] = [];
const opened: Store[] = [];

async function open(dataDir?: string): Promise<Store> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "assay-thread-")));
  folders.push(folder);
  const store = await openStore({ dataDir: folder, databaseUrl: null });
  opened.push(store);
  return store;
}

after(async () => {
  for (const store of opened) await store.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describeStore("SQLite in a thread", () => open());

describe("SQLite store in a thread of its own", () => {
  it("is opened again with what was written, and by one process at a time", async () => {
    const first = await open();
    await add(first);
    const folder = folders.at(-1)!;
    expect(await rejection(open(folder)))
      .to.be.instanceOf(StoreLockedError)
      .with.property("file");
    await first.close();
    const second = openSqliteStore(join(folder, "operator.sqlite"));
    expect((await second.submission(KEY))?.state.name).to.equal("OBSERVED");
    await second.close();
  });

  it("answers nothing any more once it is closed, and can be closed twice", async () => {
    const store = await open();
    await store.close();
    await store.close();
    expect(await rejection(store.cursor())).to.be.instanceOf(StoreError);
  });

  it("writes what was asked before it was closed", async () => {
    const store = await open();
    const folder = folders.at(-1)!;
    const written = store.setMeta("a", "1");
    await store.close();
    await written;
    const again = openSqliteStore(join(folder, "operator.sqlite"));
    expect(await again.meta("a")).to.equal("1");
    await again.close();
  });

  it("keeps no process alive that waits for nothing of it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-thread-"));
    folders.push(folder);
    const url = new URL("../../../oracle/src/store/index.ts", import.meta.url).href;
    const script = `const { openStore } = await import(${JSON.stringify(url)});
      const store = await openStore({ dataDir: ${JSON.stringify(folder)}, databaseUrl: null });
      await store.setMeta("a", "1"); console.log(await store.meta("a"));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--no-warnings", "-e", script],
      { timeout: 20_000 },
    );
    expect(stdout.trim()).to.equal("1");
  });
});

describe("errors between threads", () => {
  it("keep their class, their fields and their cause", () => {
    const signed = fromWire(structuredClone(toWire(new SignedOtherwiseError(hash(7)))));
    expect(signed).to.be.instanceOf(SignedOtherwiseError).with.property("signedDigest", hash(7));
    expect(signed).to.have.property("name", "SignedOtherwiseError");
    expect(fromWire(structuredClone(toWire(new RebuildRangeError(9, 5, hash(1))))))
      .to.be.instanceOf(RebuildRangeError)
      .with.property("highest", 5);
    const failed = fromWire(
      structuredClone(toWire(new StoreError("the database failed", { cause: new Error("disk I/O error") }))),
    );
    expect(failed).to.be.instanceOf(StoreError);
    expect(failed.cause).to.be.instanceOf(Error).with.property("message", "disk I/O error");
  });
});
