import { startPostgres, type Postgres } from "../../../localnet/src/graph/index.ts";

/** One PostgreSQL server for a test file, with a fresh database for whoever asks. */
export interface TestServer {
  /** Connection URL of an empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const server: Postgres = await startPostgres({ maxConnections: 200 });
  let databases = 0;
  return {
    createDatabase: () => server.createDatabase(`store_${++databases}`),
    stop: () => server.stop(),
  };
}
