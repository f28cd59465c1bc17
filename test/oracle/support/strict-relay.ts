import { Transaction, Wallet } from "ethers";
import { findGenLayerNetwork, type Address, type Hex } from "@assay/protocol";
import { Endpoint, Secret, createLogger } from "../../../oracle/src/index.ts";
import type { SubmissionState } from "../../../oracle/src/core/index.ts";
import { createJudge, type RelayReceipt } from "../../../oracle/src/judge/index.ts";
import { createReceiptHandler } from "../../../oracle/src/relay/index.ts";
import { RpcResponseError } from "../../../oracle/src/rpc/index.ts";
import type { Found, Services, Waiting } from "../../../oracle/src/run/index.ts";
import { Journal } from "../../../oracle/src/run/journal.ts";
import { openSqliteStore } from "../../../oracle/src/store/index.ts";
import { hash, state } from "./states.ts";
import { KEYS } from "./world.ts";

const NETWORK = findGenLayerNetwork("testnetBradbury")!;
const CHAIN = `genlayer:${NETWORK.name}`;

/** The EVM layer of a testnet, where nonces are strict and prices decide, with one relayer whose sends get stuck. */
export class StrictRelay {
  readonly store = openSqliteStore(":memory:");
  readonly #wallet = new Wallet(KEYS.relayer);
  readonly #pool = new Map<number, { readonly raw: Hex; readonly hash: Hex; readonly fee: bigint }>();
  readonly #receipts = new Map<Hex, RelayReceipt>();
  readonly #real;
  /** Transactions of the relayer that are in blocks. */
  nonce = 0;
  /** Price per gas below which nothing gets into a block. */
  price = 0n;
  now = 1_000_000;
  /** Every set of bytes that was handed over, in order, repeats included. */
  readonly sends: Transaction[] = [];
  readonly #handler;

  constructor() {
    this.#real = createJudge({
      endpoint: new Endpoint(new URL("http://127.0.0.1:9")),
      network: NETWORK,
      relayer: { address: this.relayer, privateKey: new Secret<Hex>(KEYS.relayer) },
    });
    this.#handler = createReceiptHandler({
      store: this.store,
      clock: { now: () => this.now },
      logger: createLogger("silent"),
      config: { maxInFlight: 16 },
      judge: {
        ...this.#real,
        nonce: () => Promise.resolve(this.nonce),
        receipt: (transactionHash: Hex) => Promise.resolve(this.#receipts.get(transactionHash) ?? null),
        // A refusal is a rejection, never a throw.
        sendRaw: (raw: Hex) =>
          Promise.resolve(raw).then((bytes) => {
            this.#take(bytes);
          }),
      },
    } as unknown as Services);
  }

  get relayer(): Address {
    return this.#wallet.address as Address;
  }

  /** A submission whose adjudication was sent with that nonce, and journalled. */
  async sent(nonce: number, byte = nonce + 1): Promise<SubmissionState> {
    const raw = (await this.#wallet.signTransaction({
      type: 0,
      chainId: NETWORK.chainId,
      to: NETWORK.consensusMain,
      nonce,
      gasLimit: 500_000n,
      gasPrice: 1_000n,
      data: "0xe71d5196",
    })) as Hex;
    const transactionHash = Transaction.from(raw).hash as Hex;
    const after = state({ name: "RELAY_SENT", submissionHash: hash(byte), relayTx: transactionHash });
    const key = { agreementId: after.agreementId, submissionHash: after.submissionHash };
    await this.store.commit({
      at: this.now,
      submissions: [{ before: null, after, events: ["RelayBroadcast"], nextAt: this.now }],
      outbox: [
        {
          key,
          purpose: "relay",
          chain: CHAIN,
          signer: this.relayer,
          transaction: { transactionHash, raw, nonce, fee: 1_000n },
        },
      ],
    });
    await this.store.commit({ at: this.now, sent: [{ transactionHash, block: null }] });
    this.#take(raw);
    return after;
  }

  /** One look at a submission's send; what it wants written is written. */
  async look(submission: SubmissionState): Promise<Found | Waiting> {
    const row = await this.store.submission(submission);
    const step = await this.#handler({ ...row!, journal: new Journal(this.store, submission) });
    if ("sign" in step) throw new Error("nothing is signed for a send that is under way");
    if (step.change !== undefined) await this.store.commit({ at: this.now, ...step.change });
    return step;
  }

  /** Looks every ten seconds for so long. Resolves to the first step that tells of something. */
  async watch(submission: SubmissionState, seconds: number): Promise<Found | null> {
    for (let elapsed = 0; elapsed < seconds; elapsed += 10) {
      this.now += 10_000;
      const step = await this.look(submission);
      if ("events" in step) return step;
    }
    return null;
  }

  /** The submission is closed: nobody watches its send any more, and its nonce is given up. */
  async giveUp(submission: SubmissionState): Promise<void> {
    const before = await this.store.submission(submission);
    await this.store.commit({
      at: this.now,
      submissions: [{ before, after: { ...submission, name: "EXPIRED" }, events: ["Closed"], nextAt: null }],
    });
  }

  /** Nodes forget what waits. */
  forget(): void {
    this.#pool.clear();
  }

  /** Somebody with the same key uses nonces elsewhere. */
  burn(count: number): void {
    for (let burnt = 0; burnt < count; burnt++) this.#pool.delete(this.nonce++);
  }

  /** A block takes these very bytes, whatever else waits under their nonce. */
  mineThese({ serialized, hash: transactionHash, nonce, gasPrice }: Transaction): void {
    this.#pool.set(nonce, {
      raw: serialized as Hex,
      hash: transactionHash as Hex,
      fee: gasPrice ?? 0n,
    });
    this.mine();
  }

  /** A block takes what is next and pays enough. */
  mine(): void {
    for (;;) {
      const next = this.#pool.get(this.nonce);
      if (next === undefined || next.fee < this.price) return;
      this.#pool.delete(this.nonce++);
      const isAdjudication = Transaction.from(next.raw).to === NETWORK.consensusMain;
      this.#receipts.set(next.hash, { succeeded: true, judgeTx: isAdjudication ? hash(0x99) : null });
    }
  }

  #take(raw: Hex): void {
    const transaction = Transaction.from(raw);
    this.sends.push(transaction);
    const { nonce } = transaction;
    const fee = transaction.gasPrice ?? 0n;
    const rival = this.#pool.get(nonce);
    if (nonce < this.nonce) throw refusal("nonce too low");
    if (rival?.hash === transaction.hash) throw refusal("already known");
    if (rival !== undefined && fee * 10n < rival.fee * 11n)
      throw refusal("replacement transaction underpriced");
    this.#pool.set(nonce, { raw, hash: transaction.hash as Hex, fee });
  }
}

function refusal(message: string): RpcResponseError {
  return new RpcResponseError("sim://testnet", "eth_sendRawTransaction", -32000, message, null);
}
