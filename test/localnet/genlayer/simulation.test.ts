import { expect } from "chai";

import { encodeCalldata } from "../../../localnet/src/genlayer/calldata.ts";
import { createClock } from "../../../localnet/src/genlayer/clock.ts";
import { ConsensusError, TERMINAL } from "../../../localnet/src/genlayer/consensus/consensus.ts";
import { createEngine, type Engine } from "../../../localnet/src/genlayer/engine/engine.ts";
import { createNodes } from "../../../localnet/src/genlayer/engine/nodes.ts";
import type { Hex } from "../../../localnet/src/genlayer/execution/executor.ts";
import { createTransactionFaultPlan } from "../../../localnet/src/genlayer/faults/transaction-faults.ts";
import type { ChainKind } from "../../../localnet/src/genlayer/kinds.ts";
import { type Ledger, openLedger } from "../../../localnet/src/genlayer/ledger/ledger.ts";
import type { TransactionFaults, TransactionInput } from "../../../localnet/src/genlayer/ledger/records.ts";
import { createMemoryStore } from "../../../localnet/src/genlayer/ledger/store.ts";
import { createScriptedExecutor } from "./scripted-executor.ts";

/** Every one of these is run in both kinds; one that once failed stays here for good. */
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

const STEPS = 60;
const WINDOW = 10_000;
const CONTRACT: Hex = "0x00000000000000000000000000000000000000AA";

const FAULTS: readonly TransactionFaults[] = [
  { forcedVotes: { vote: "disagree", validators: 1000 } },
  { forcedVotes: { vote: "timeout", validators: 1000 } },
  { forcedVotes: { vote: "deterministic_violation", validators: 2 } },
  { leaderTimeout: true },
];

/** One seed decides everything that chance decides. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface World {
  readonly ledger: Ledger;
  readonly engine: Engine;
  readonly letters: Map<Hex, string>;
  readonly finalized: () => string;
  readonly accepted: () => string;
}

const letTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function simulate(kind: ChainKind, seed: number): Promise<World> {
  const random = createRandom(seed);
  const ledger = openLedger(createMemoryStore());
  const clock = createClock();
  const faults = createTransactionFaultPlan();
  const engine = createEngine({
    kind,
    chainId: 1,
    ledger,
    executor: createScriptedExecutor(),
    nodes: createNodes(26, [{ provider: "rules" }]),
    validatorsPerTransaction: 5,
    clock,
    faults,
    settings: { finalityWindowMilliseconds: WINDOW, manualFinality: false, phaseMilliseconds: 0 },
    executionTimeoutMilliseconds: 1000,
  });
  const letters = new Map<Hex, string>();
  const ids: Hex[] = [];

  const submit = (method: string | null, argument: string): void => {
    const sequence = ids.length + 1;
    const id: Hex = `0x${(seed * 1000 + sequence).toString(16).padStart(64, "0")}`;
    const calldata = encodeCalldata(method === null ? { args: [argument] } : { method, args: [argument] });
    const input: TransactionInput = {
      id,
      evmHash: id,
      sequence,
      kind: method === null ? "deploy" : "call",
      sender: CONTRACT,
      contract: CONTRACT,
      value: "0",
      nonce: sequence,
      validators: 5,
      maxRotations: random(3),
      mode: "NORMAL",
      txData: "0x",
      calldata: Buffer.from(calldata).toString("base64"),
      ...(method === null ? { code: Buffer.from("class").toString("base64") } : {}),
      validUntil: 0,
      createdAt: clock.now(),
    };
    ids.push(id);
    letters.set(id, method === "append" ? argument : "");
    engine.submit(input);
  };
  const unlessRefused = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
    }
  };
  const textOf = (slot: "accepted" | "finalized"): string => {
    const contract = ledger.contracts.get(CONTRACT);
    return contract === undefined ? "" : new TextDecoder().decode(ledger.state(contract[slot]));
  };
  const world = {
    ledger,
    engine,
    letters,
    finalized: () => textOf("finalized"),
    accepted: () => textOf("accepted"),
  };

  submit(null, "");
  while (ledger.contracts.get(CONTRACT) === undefined) await letTurn();
  for (let step = 0; step < STEPS; step += 1) {
    const someone = ids[1 + random(Math.max(1, ids.length - 1))];
    switch (random(6)) {
      case 0:
      case 1:
        submit(random(5) === 0 ? "fail" : "append", String.fromCharCode(97 + (ids.length % 26)));
        break;
      case 2:
        faults.add({
          contract: null,
          transactions: 1 + random(2),
          faults: FAULTS[random(FAULTS.length)] ?? {},
        });
        break;
      case 3:
        clock.advance(random(WINDOW));
        engine.reconsider();
        break;
      case 4:
        if (someone !== undefined) unlessRefused(() => engine.appeal(someone));
        break;
      default:
        if (someone !== undefined && random(4) === 0) unlessRefused(() => engine.cancel(someone));
    }
    for (let turns = random(30); turns > 0; turns -= 1) await letTurn();
    if (kind === "testnet") expect(world.finalized(), `step ${step}`).to.equal(expected(world));
  }
  for (let round = 0; !ids.every((id) => isTerminal(ledger, id)); round += 1) {
    if (round > 10_000) throw new Error("transactions never became final");
    clock.advance(WINDOW);
    engine.reconsider();
    await letTurn();
  }
  engine.stop();
  return world;
}

function isTerminal(ledger: Ledger, id: Hex): boolean {
  const status = ledger.transactions.get(id)?.consensus.status;
  return status !== undefined && TERMINAL.has(status);
}

/** What storage must be: the letters of all that was accepted, returned, and is final, in order. */
function expected({ ledger, letters }: World): string {
  return [...letters]
    .filter(([id]) => {
      const consensus = ledger.transactions.get(id)?.consensus;
      return (
        consensus?.status === "FINALIZED" &&
        consensus.result === "MAJORITY_AGREE" &&
        consensus.execution === "FINISHED_WITH_RETURN"
      );
    })
    .map(([, letter]) => letter)
    .join("");
}

describe("a network under faults, appeals and cancellations at random", () => {
  for (const kind of ["studio", "testnet"] as const satisfies readonly ChainKind[]) {
    for (const seed of SEEDS) {
      it(`keeps exactly what was agreed, in order (${kind}, seed ${seed})`, async () => {
        const world = await simulate(kind, seed);

        expect(world.finalized()).to.equal(expected(world));
        expect(world.accepted()).to.equal(expected(world));
        const finalizedAt = [...world.letters.keys()].flatMap((id) => {
          const consensus = world.ledger.transactions.get(id)?.consensus;
          const changes = consensus?.rounds.flatMap((round) => round.changes) ?? [];
          return changes.filter(({ status }) => status === "FINALIZED").map(({ at }) => at);
        });
        expect(finalizedAt).to.deep.equal([...finalizedAt].sort((a, b) => a - b));
      });
    }
  }
});
