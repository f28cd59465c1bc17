import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect } from "chai";
import pg from "pg";
import { startPostgres, type Postgres } from "../../../localnet/src/graph/index.ts";

const ask = async (url: string, query: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // A command that runs a script has no rows, not even none.
    return ((await client.query(query)) as { rows?: unknown[] }).rows?.[0];
  } finally {
    await client.end();
  }
};

describe("localnet PostgreSQL", function () {
  this.timeout(30_000);
  let postgres: Postgres;

  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it("stores UTF-8 in the C locale, as graph-node requires", async () => {
    expect(
      await ask(
        postgres.url,
        "select pg_encoding_to_char(encoding) as encoding, datcollate from pg_database where datname = 'postgres'",
      ),
    ).to.deep.equal({ encoding: "UTF8", datcollate: "C" });
  });

  it("lets its role create the extensions that graph-node needs", async () => {
    const url = await postgres.createDatabase("extensions");
    await ask(url, "create extension pg_trgm; create extension btree_gist; create extension postgres_fdw");
    expect(
      await ask(url, "select count(*)::int as count from pg_extension where extname like '%fdw'"),
    ).to.deep.equal({
      count: 1,
    });
  });

  it("keeps databases apart", async () => {
    const [one, two] = [await postgres.createDatabase("one"), await postgres.createDatabase("two")];
    await ask(one, "create table here (x int)");
    expect(await ask(two, "select to_regclass('here') as found")).to.deep.equal({ found: null });
  });

  it("refuses a name that is no database name", async () => {
    const error: unknown = await postgres
      .createDatabase("x; drop table y")
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "BAD_OPTION");
  });

  it("never runs as root", () => {
    const uid = execFileSync("ps", ["-o", "uid=", "-p", String(postgres.pid)], { encoding: "utf8" });
    expect(Number(uid)).to.not.equal(0);
  });

  it("tells when it is killed, and leaves nothing behind", async () => {
    const other = await startPostgres();
    const data = ((await ask(other.url, "show data_directory")) as { data_directory: string }).data_directory;
    process.kill(other.pid, "SIGKILL");
    expect(await other.failed).to.include({
      code: "CHILD_DIED",
      message: "PostgreSQL ended unexpectedly (signal SIGKILL).",
    });
    await other.stop();
    expect(existsSync(data)).to.equal(false);
  });

  it("refuses a port in use", async () => {
    const error: unknown = await startPostgres({ port: postgres.port }).catch((reason: unknown) => reason);
    expect(error).to.include({
      code: "PORT_IN_USE",
      message: `Port ${postgres.port}, wanted by PostgreSQL, is in use.`,
    });
  });
});
