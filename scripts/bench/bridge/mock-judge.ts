import { createHash, randomBytes } from "node:crypto";
import {
  adjudicationKey,
  canonicalize,
  documentHash,
  findGenLayerNetwork,
  parseAgreement,
  utf8Encode,
  type Address,
  type Hex,
} from "@assay/protocol";
import type { Judge, StoredRecord } from "../../../oracle/src/judge/index.ts";
import { signDigest } from "../../../oracle/src/signer/index.ts";

export const JUDGE: Address = "0x1234567890123456789012345678901234567890";
const CODE = "# the judge\n";
export const CODE_HASH: Hex = `0x${createHash("sha256").update(CODE).digest("hex")}`;

type Call = Parameters<Judge["calldataOf"]>[0];

interface Entry {
  readonly id: Hex;
  readonly call: Call;
  readonly finalAt: number;
}

/** GenLayer as the service sees it, in memory: every judgement is PASS, accepted at once and final after its time. */
export class MockJudge {
  readonly #relayer: Address;
  readonly #privateKey: Hex;
  readonly #finalAfter: () => number;
  readonly #signed = new Map<Hex, Call>();
  readonly #entries = new Map<Hex, Entry>();
  readonly #records = new Map<string, StoredRecord>();
  /** When each agreement's judgement became final, wall clock in milliseconds. */
  readonly finalAt = new Map<Hex, number>();

  /** @param finalAfter milliseconds from being sent to being final. */
  constructor(relayer: Address, privateKey: Hex, finalAfter: () => number) {
    this.#relayer = relayer;
    this.#privateKey = privateKey;
    this.#finalAfter = finalAfter;
  }

  judge(): Judge {
    const network = findGenLayerNetwork("localnet");
    if (network === undefined) throw new Error("no localnet");
    return {
      network,
      relayer: this.#relayer,
      workflows: UNUSED_WORKFLOWS,
      verifyIdentity: () => Promise.resolve(),
      calldataOf,
      prepare: (_contract, call, _validators, nonce) => {
        const transactionHash: Hex = `0x${randomBytes(32).toString("hex")}`;
        // What signing costs is part of what is measured.
        const { serialized } = signDigest(this.#privateKey, transactionHash);
        this.#signed.set(transactionHash, call);
        return Promise.resolve({
          transactionHash,
          raw: `${transactionHash}${serialized.slice(2)}`,
          nonce,
          fee: 0n,
        });
      },
      prepareFinalization: () => Promise.reject(new Error("not needed")),
      reprice: () => Promise.reject(new Error("not needed")),
      prepareFiller: () => Promise.reject(new Error("not needed")),
      sendRaw: (raw) => {
        this.#send(raw.slice(0, 66) as Hex);
        return Promise.resolve();
      },
      receipt: (hash) => Promise.resolve(this.#entries.has(hash) ? { succeeded: true, judgeTx: hash } : null),
      nonce: () => Promise.resolve(this.#entries.size),
      transaction: (id) => {
        const entry = this.#entries.get(id);
        return Promise.resolve(entry === undefined ? null : this.#view(entry));
      },
      isKnownOtherwise: () => false,
      record: (_contract, _sender, key) =>
        Promise.resolve(
          this.#records.get(key) ?? {
            version: 0,
            sequence: 0,
            sender: "",
            key: "",
            record: "",
            adjudicationHash: "",
          },
        ),
      records: (_contract, key) => {
        const record = this.#records.get(key);
        return Promise.resolve(
          record === undefined ? [] : [{ sender: this.#relayer, sequence: record.sequence }],
        );
      },
      transactionsTo: () => Promise.resolve(null),
      codeHash: () => Promise.resolve(CODE_HASH),
    };
  }

  #send(id: Hex): void {
    const call = this.#signed.get(id);
    if (call === undefined || this.#entries.has(id)) return;
    const finalAt = Date.now() + this.#finalAfter();
    this.#entries.set(id, { id, call, finalAt });
    this.finalAt.set(call.agreementId, finalAt);
    this.#store(call);
  }

  #view({ id, call, finalAt }: Entry) {
    return {
      id,
      status: Date.now() >= finalAt ? "FINALIZED" : "ACCEPTED",
      result: "MAJORITY_AGREE",
      execution: "FINISHED_WITH_RETURN",
      sender: this.#relayer,
      recipient: JUDGE,
      leaderOnly: false,
      initialValidators: 5,
      participants: 5,
      calldata: calldataOf(call),
      createdAt: 1,
    };
  }

  #store(call: Call): void {
    const agreement = parseAgreement(call.agreementText);
    const subject = {
      agreementId: call.agreementId,
      agreementHash: documentHash(utf8Encode(call.agreementText)),
      submissionHash: documentHash(utf8Encode(call.submissionText)),
      chainId: call.chainId,
      escrow: call.escrow,
    };
    const key = adjudicationKey(subject);
    const sequence = this.#records.size + 1;
    const record = canonicalize({
      schema: "assay/adjudication/1",
      adjudicationKey: key,
      ...subject,
      relayer: this.#relayer,
      sequence,
      outcome: "PASS",
      requirements: agreement.requirements.map(({ id, check }) => ({
        id,
        result: "PASS",
        decidedBy: check === undefined ? "model" : "check",
        ...(check === undefined ? {} : { check: check.type }),
      })),
      evidence: [],
    });
    this.#records.set(key, {
      version: 1,
      sequence,
      sender: this.#relayer,
      key,
      record,
      adjudicationHash: documentHash(utf8Encode(record)),
    });
  }
}

/** The agreements that are measured have one seller each. */
const UNUSED_WORKFLOWS: Judge["workflows"] = {
  calldataOf: () => "0x",
  prepare: () => Promise.reject(new Error("not needed")),
  read: () => Promise.reject(new Error("not needed")),
  record: () => Promise.reject(new Error("not needed")),
};

/** As long as the real one, which holds both documents. */
function calldataOf(call: Call): Hex {
  return `0x${Buffer.from(JSON.stringify(call)).toString("hex")}`;
}
