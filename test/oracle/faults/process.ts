import { join } from "node:path";
import type { Hono } from "hono";
import { createLogger, loadConfig, startOperator } from "../../../oracle/src/index.ts";
import type { EventLoopWatch } from "../../../oracle/src/observe/index.ts";
import {
  StoreError,
  openSqliteStore,
  type Commit,
  type SignedVerdict,
  type Store,
} from "../../../oracle/src/store/index.ts";
import type { FaultPlan } from "./plan.ts";
import type { Owner, VirtualTime } from "./virtual-time.ts";

/** What never comes. Each has one of its own: a shared one would keep whoever ever waited for it. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** In virtual time no timer is late. */
const NEVER_LATE: EventLoopWatch = {
  metrics: { longest: () => 0 },
  livez: { longest: () => 0 },
  lateness: () => 0,
  stop: () => undefined,
};

/** One life of an operator's process. What it has begun when it is killed never ends. */
interface Life extends Owner {
  readonly store: Store;
}

/** What a process tells the world. */
export interface Witness {
  /** A certificate was written into a sign-once table. */
  signed(operator: number, signed: SignedVerdict): void;
  log(operator: number, line: string): void;
  isCalm(): boolean;
}

/** An operator under a supervisor that starts it again, on the same database, whenever it ends. */
export class OperatorProcess {
  readonly index: number;
  readonly #env: Readonly<Record<string, string>>;
  readonly #plan: FaultPlan;
  readonly #time: VirtualTime;
  readonly #witness: Witness;
  readonly #clock: () => number;
  #life: Life | null = null;
  #lives = 0;
  #calls = 0;
  #passages = 0;
  #over = false;
  /** What it serves while it is up. */
  app: Hono | null = null;
  halted = false;

  constructor(options: {
    readonly index: number;
    readonly env: Readonly<Record<string, string>>;
    readonly plan: FaultPlan;
    readonly time: VirtualTime;
    readonly witness: Witness;
    /** The machine's own clock, which may be wrong. */
    readonly clock: () => number;
  }) {
    this.index = options.index;
    this.#env = options.env;
    this.#plan = options.plan;
    this.#time = options.time;
    this.#witness = options.witness;
    this.#clock = options.clock;
  }

  /** Times that it was started. */
  get lives(): number {
    return this.#lives;
  }

  get life(): Owner | null {
    return this.#life;
  }

  /** The store of the life that is under way. */
  get store(): Store | null {
    return this.#life?.alive === true ? this.#life.store : null;
  }

  start(): void {
    if (this.#over) return;
    const store = openSqliteStore(join(this.#env["ASSAY_DATA_DIR"] ?? "", "operator.sqlite"));
    const life: Life = { name: `operator ${this.index}, life ${++this.#lives}`, alive: true, store };
    this.#life = life;
    void this.#time.as(life, () => this.#run(life));
  }

  async #run(life: Life): Promise<void> {
    const config = loadConfig(this.#env);
    try {
      const operator = await startOperator(config, {
        clock: { now: () => Math.floor(this.#clock()) },
        logger: createLogger(config.logLevel, { write: (line) => this.#witness.log(this.index, line) }),
        store: this.#faulty(life),
        boundary: () => this.#pass(life),
        eventLoop: NEVER_LATE,
        serve: (app) => {
          if (life.alive) this.app = app as unknown as Hono;
          return Promise.resolve({ url: `http://op${this.index}.sim`, close: () => Promise.resolve() });
        },
      });
      await operator.failed;
    } catch (error) {
      this.#witness.log(this.index, JSON.stringify({ level: "end", error: String(error) }));
    }
    this.kill(life);
  }

  /** Ends the process at once, as the kernel would, and has it started again a little later. */
  kill(life = this.#life): void {
    if (life === null || !life.alive) return;
    life.alive = false;
    this.app = null;
    void life.store.close();
    const pause = this.#plan.draws.integer(1_000, 15_000, "restart", this.index, this.#lives);
    this.#time.at(this.#time.now + pause, () => {
      this.start();
    });
  }

  /** Ends it for good. */
  end(): void {
    this.#over = true;
    this.kill();
  }

  #pass(life: Life): void | Promise<void> {
    const { draws, boundaryKills } = this.#plan;
    if (!life.alive) return never();
    if (this.#witness.isCalm() || !draws.happens(boundaryKills, "boundary", this.index, this.#passages++))
      return;
    this.kill(life);
    return never();
  }

  /** The store, whose calls fail now and then, before or after they took effect, and end with the process. */
  #faulty(life: Life): Store {
    return new Proxy(life.store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => this.#call(life, target, member as Method, String(name), values);
      },
    });
  }

  async #call(life: Life, target: Store, member: Method, name: string, values: unknown[]): Promise<unknown> {
    if (!life.alive) return never();
    const { draws, database } = this.#plan;
    const fails =
      name !== "close" &&
      name !== "withSigner" &&
      !this.#witness.isCalm() &&
      draws.happens(database, "database", this.index, this.#calls++);
    const before = fails && draws.happens(0.5, "before", this.index, this.#calls);
    if (before) throw new StoreError("disk I/O error");
    // What a signer's lane runs takes virtual time; everything else is done before time may pass.
    const result =
      name === "withSigner"
        ? await member.apply(target, values)
        : await this.#time.outside(() => member.apply(target, values));
    if (name === "commit") this.#note(values[0] as Commit);
    if (!isAlive(life)) return never();
    if (fails) throw new StoreError("disk I/O error, after the write");
    return result;
  }

  #note({ signed = [] }: Commit): void {
    for (const one of signed) this.#witness.signed(this.index, one);
  }
}

type Method = (...values: unknown[]) => Promise<unknown>;

/** Whether a process lives now: it may have died while it waited. */
function isAlive(life: Owner): boolean {
  return life.alive;
}
