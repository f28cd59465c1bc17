import { expect } from "chai";
import { BoundaryError } from "../../../oracle/src/run/boundary.ts";
import type { Lane } from "../../../oracle/src/run/lane.ts";
import type { Signing } from "../../../oracle/src/run/step.ts";
import { createTurns, type Signed, type Turn } from "../../../oracle/src/run/turns.ts";
import { StaleVersionError, StoreError, type SubmissionRow } from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";
import { hash, state } from "../support/states.ts";

const SIGNER = "0x5d5c99EdF529335160FF180fA141Dd4967fc00D2";

interface NamedTurn extends Turn {
  readonly name: number;
}

/** One lane of which nothing is ever included, and what its turns came to. */
class Counter {
  readonly open: number[] = [];
  readonly told: (readonly [name: number, what: string])[] = [];
  /** Writes, each with the names of those that were written together. */
  readonly writes: number[][] = [];
  /** Of whom a signature can't be had. */
  unsigned: readonly number[] = [];
  /** Of whom nothing can be written. */
  unwritten: readonly number[] = [];
  busy: Error | null = null;
  readonly #tasks: Promise<void>[] = [];
  readonly lane: Lane;
  readonly turns;

  constructor(mostOpen: number) {
    this.lane = {
      chain: "evm",
      signer: SIGNER,
      purpose: "settle",
      mostOpen,
      nonce: () => Promise.resolve(5),
    };
    this.turns = createTurns<NamedTurn>({
      store: {
        openNonces: () => Promise.resolve([...this.open]),
        withSigner: (_chain, _signer, work) => (this.busy === null ? work() : Promise.reject(this.busy)),
      },
      begin: (work) => void this.#tasks.push(work()),
      stopped: () => false,
      write: (signed) => this.#write(signed),
      failed: ({ name }, error) => {
        if (error instanceof StoreError) return Promise.reject(error);
        this.told.push([name, (error as Error).message]);
        return Promise.resolve();
      },
    });
  }

  enter(...names: readonly number[]): readonly boolean[] {
    return names.map((name) => this.turns.enter(this.lane, { name, ...this.#turn(name) }));
  }

  async served(): Promise<void> {
    this.turns.look();
    while (this.#tasks.length > 0) await Promise.all(this.#tasks.splice(0));
  }

  #turn(name: number): Turn {
    const signing: Signing = {
      lane: this.lane,
      sign: (nonce) =>
        this.unsigned.includes(name)
          ? Promise.reject(new Error("no signature"))
          : Promise.resolve({ transactionHash: hash(nonce), raw: "0x02", nonce, fee: 1n }),
      signed: () => ({ wait: "poll" }),
    };
    return {
      row: { state: state({ submissionHash: hash(name) }) } as SubmissionRow,
      prepare: () => Promise.resolve(signing),
    };
  }

  #write(signed: readonly Signed<NamedTurn>[]): Promise<readonly (() => Promise<void>)[]> {
    const names = signed.map(({ turn }) => turn.name);
    this.writes.push(names);
    if (names.some((name) => this.unwritten.includes(name)))
      return Promise.reject(new StaleVersionError("it changed meanwhile"));
    this.open.push(...signed.map(({ transaction }) => transaction.nonce));
    return Promise.resolve(
      signed.map(({ turn: { name }, transaction: { nonce } }) => () => {
        this.told.push([name, `nonce ${nonce}`]);
        return Promise.resolve();
      }),
    );
  }
}

describe("turns in a lane", () => {
  it("give the next nonces to as many as may be under way, written together, in the order in which they came", async () => {
    const counter = new Counter(3);
    counter.enter(1, 2, 3, 4);
    await counter.served();
    expect(counter.writes).to.deep.equal([[1, 2, 3]]);
    expect(counter.told).to.deep.equal([
      [1, "nonce 5"],
      [2, "nonce 6"],
      [3, "nonce 7"],
    ]);
    counter.open.splice(0, 2);
    await counter.served();
    expect(counter.told.at(-1)).to.deep.equal([4, "nonce 5"]);
  });

  it("leave no hole behind whoever can't sign: the next one gets that nonce", async () => {
    const counter = new Counter(4);
    counter.unsigned = [2];
    counter.enter(1, 2, 3);
    await counter.served();
    expect(counter.told).to.deep.equal([
      [1, "nonce 5"],
      [2, "no signature"],
      [3, "nonce 6"],
    ]);
    expect(counter.open).to.deep.equal([5, 6]);
  });

  it("leave no hole behind whoever can't be written, and let nobody else suffer for it", async () => {
    const counter = new Counter(4);
    counter.unwritten = [2];
    counter.enter(1, 2, 3, 4);
    await counter.served();
    expect(counter.writes).to.deep.equal([[1, 2, 3, 4], [1], [2], [3, 4]]);
    expect(counter.told).to.deep.equal([
      [1, "nonce 5"],
      [2, "it changed meanwhile"],
      [3, "nonce 6"],
      [4, "nonce 7"],
    ]);
    expect(counter.open).to.deep.equal([5, 6, 7]);
  });

  it("tell everybody when the key is busy", async () => {
    const counter = new Counter(4);
    counter.busy = new Error("another worker holds it");
    counter.enter(1, 2);
    await counter.served();
    expect(counter.told).to.deep.equal([
      [1, "another worker holds it"],
      [2, "another worker holds it"],
    ]);
    expect(counter.writes).to.deep.equal([]);
  });

  for (const fatal of [
    new StoreError("the disk is full"),
    new BoundaryError("relay.done", { cause: new Error("stopped") }),
  ])
    it(`end with a ${fatal.name}, and write nothing more`, async () => {
      const counter = new Counter(4);
      counter.busy = fatal;
      counter.enter(1, 2);
      expect(await rejection(counter.served())).to.equal(fatal);
      expect(counter.writes).to.deep.equal([]);
    });

  it("turn away who finds the line full, and send everybody away at the end", async () => {
    const counter = new Counter(0);
    const entered = counter.enter(...Array.from({ length: 1_025 }, (_, name) => name % 256));
    expect(entered.indexOf(false)).to.equal(1_024);
    await counter.served();
    expect(counter.turns.empty()).to.have.length(1_024);
    expect(counter.turns.empty()).to.deep.equal([]);
  });
});
