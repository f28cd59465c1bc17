import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import {
  StoreError,
  StoreLockedError,
  StoreVersionError,
  openSqliteStore,
} from "../../../oracle/src/store/index.ts";
import { hash } from "../support/states.ts";
import { KEY, add, describeStore } from "./contract.ts";

describeStore("SQLite", () => Promise.resolve(openSqliteStore(":memory:")));

describe("SQLite store in a file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-store-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const file = () => join(folder, "inner", "operator.sqlite");

  it("is there again after a restart, with the same schema", async () => {
    const first = openSqliteStore(file());
    await add(first);
    await first.close();
    const second = openSqliteStore(file());
    expect((await second.submission(KEY))?.state.name).to.equal("OBSERVED");
    await second.close();
  });

  it("syncs every commit to disk, through a write-ahead log", async () => {
    const store = openSqliteStore(file());
    await store.close();
    const database = new DatabaseSync(file());
    expect(database.prepare("PRAGMA journal_mode").get()).to.deep.include({ journal_mode: "wal" });
    database.close();
  });

  it("belongs to one process; a second one is told so in one sentence", async () => {
    const url = new URL("../../../oracle/src/store/index.ts", import.meta.url).href;
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `const { openSqliteStore } = await import(${JSON.stringify(url)}); openSqliteStore(${JSON.stringify(file())}); console.log("held"); setInterval(() => {}, 1000);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      await once(holder.stdout, "data");
      expect(() => openSqliteStore(file()))
        .to.throw(StoreLockedError)
        .with.property(
          "message",
          `another operator process uses ${file()}; stop it, or give this one its own ASSAY_DATA_DIR`,
        );
    } finally {
      holder.kill("SIGKILL");
      await once(holder, "exit");
    }
    // A killed holder leaves nothing behind that would keep the next one out.
    await openSqliteStore(file()).close();
  });

  it("refuses a database of a newer service", async () => {
    await openSqliteStore(file()).close();
    const database = new DatabaseSync(file());
    database.exec("PRAGMA user_version = 999");
    database.close();
    expect(() => openSqliteStore(file()))
      .to.throw(StoreVersionError)
      .with.property("found", 999);
  });

  it("refuses a file that is no database", async () => {
    await mkdir(join(folder, "inner"));
    await writeFile(file(), "this is not a database, however long it may be ".repeat(40));
    expect(() => openSqliteStore(file())).to.throw(StoreError, /can't be opened/);
  });

  it("copies itself into a file while it is in use", async () => {
    const store = openSqliteStore(file());
    await add(store);
    const copy = join(folder, "copy.sqlite");
    await store.backup(copy);
    await store.close();
    const restored = openSqliteStore(copy);
    expect((await restored.submission(KEY))?.state.name).to.equal("OBSERVED");
    await restored.close();
  });

  it("takes over a database of the first schema, with the documents that it counted", async () => {
    await mkdir(join(folder, "inner"));
    const database = new DatabaseSync(file());
    database.exec(
      await readFile(
        new URL("../../../oracle/src/store/sqlite/migrations/0001-initial.sql", import.meta.url),
        "utf8",
      ),
    );
    database
      .prepare("INSERT INTO documents (hash, kind, bytes, stored_at) VALUES (?, 'agreement', ?, 1)")
      .run(hash(0xdd), new Uint8Array(7));
    database.exec("PRAGMA user_version = 1");
    database.close();
    const store = openSqliteStore(file());
    expect(await store.documentBytes()).to.equal(7);
    await store.close();
  });
});
