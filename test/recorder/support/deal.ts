import {
  type Agreement,
  type Hex,
  type Terms,
  agreementIdOf,
  documentHash,
  encodeDocument,
  toAddress,
  walkAuthorizationTypedData,
} from "@assay/protocol";
import { Wallet } from "ethers";
import type { Walker } from "./walker.ts";
import { JOBS, RECORDER } from "./world.ts";

export const SELLER = new Wallet(`0x${"5e".repeat(32)}`);
export const BUYER = new Wallet(`0x${"b0".repeat(32)}`);
export const CHAIN_ID = 31_337;
export const ESCROW = toAddress(`0x${"e5".repeat(20)}`);

/** A request that begins or binds a mission, with what it is made of. */
export interface Deal {
  readonly agreementId: Hex;
  readonly agreement: Agreement;
  readonly body: Record<string, unknown>;
}

interface Changes {
  readonly nonce?: string;
  readonly recorder?: string;
  readonly terms?: Partial<Terms>;
  readonly signer?: Wallet;
  readonly agentId?: string;
  readonly body?: Record<string, unknown>;
}

/** An agreement about the tour, and what its seller asks a recorder with. */
export async function dealFor(walker: Walker, changes: Changes = {}): Promise<Deal> {
  const agreement: Agreement = {
    schema: "assay/agreement/1",
    title: "Tour",
    task: "Walk the tour.",
    requirements: [{ id: "WALK", text: "It was walked.", check: { type: "execution_proof" } }],
    evidenceRequired: [],
    adjudication: {
      network: "localnet",
      chainId: 61_127,
      consensusMain: toAddress(`0x${"c1".repeat(20)}`),
      contract: toAddress(`0x${"c0".repeat(20)}`),
      codeHash: `0x${"0c".repeat(32)}`,
      relayers: [toAddress(`0x${"aa".repeat(20)}`)],
      minValidators: 5,
      rounds: 1,
    },
    execution: {
      nonce: (changes.nonce ?? `0x${"71".repeat(32)}`) as Hex,
      recorder: toAddress(changes.recorder ?? RECORDER.address),
      steps: [...JOBS[0]!.steps],
    },
  };
  const bytes = encodeDocument(agreement);
  const terms: Terms = {
    buyer: toAddress(BUYER.address),
    seller: toAddress(SELLER.address),
    reward: 10_000n,
    agreementHash: documentHash(bytes),
    adjudicator: toAddress(`0x${"ad".repeat(20)}`),
    adjudicatorConfig: `0x${"cf".repeat(32)}`,
    deliverBy: 2_000_000_000,
    adjudicateBy: 2_000_100_000,
    noVerdictSellerBps: 5_000,
    salt: 7n,
    ...changes.terms,
  };
  const agreementId = agreementIdOf(terms, CHAIN_ID, ESCROW);
  const { domain, types, message } = walkAuthorizationTypedData({
    agreementId,
    agentId: changes.agentId ?? walker.agentId,
    chainId: CHAIN_ID,
    escrow: ESCROW,
  });
  const signature = await (changes.signer ?? SELLER).signTypedData(domain, types, message);
  const body = {
    agreement: Buffer.from(bytes).toString(),
    terms: { ...terms, reward: `${terms.reward}`, salt: `${terms.salt}` },
    chain_id: CHAIN_ID,
    escrow: ESCROW,
    seller_signature: signature,
    ...changes.body,
  };
  return { agreementId, agreement, body };
}
