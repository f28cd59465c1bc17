import { Interface, Wallet } from "ethers";
import {
  BUNDLE_SCHEMA,
  agreementIdOf,
  documentHash,
  encodeDocument,
  executionGateConfigOf,
  executionProofGateAbi,
  executionTerminalTypedData,
  executionVerdictHash,
  gateDeliveryCalldata,
  toAddress,
  typedDataDigest,
  type Address,
  type Evidence,
  type GateDelivery,
  type Hex,
  type Terms,
} from "@assay/protocol";
import { executionChainVectors } from "../../execution/support/vectors.ts";
import {
  AGREEMENT,
  BUYER,
  CHAIN_ID,
  ESCROW,
  NOW,
  SELLER,
  TOKEN,
  chained,
  escrowLog,
  fundedLog,
  logOf,
  transferLog,
} from "./case.ts";

const vectors = executionChainVectors();
const mission = vectors.missions[0]!;
const RECORDER = toAddress(vectors.recorder.address);
const GATE: Address = toAddress(`0x${"9a".repeat(20)}`);
const REWARD = 10_000n;

/** What may be otherwise in evidence that is complete and consistent apart from it. */
export interface GatedChanges {
  readonly terms?: Partial<Terms>;
  /** What the gate is told, in place of the truth. */
  readonly delivery?: (delivery: GateDelivery) => GateDelivery;
  readonly submitted?: Hex;
  readonly released?: { readonly terminal?: Hex; readonly verdictHash?: Hex };
  readonly signer?: string;
  /** Who was called; the gate unless somebody batched the call. */
  readonly to?: Address;
  /** Whether nothing was delivered yet. */
  readonly open?: boolean;
}

/** Evidence of an agreement that a gate released, made without any chain. */
export function gatedCase(changes: GatedChanges = {}): Evidence {
  const execution = { nonce: mission.nonce, recorder: RECORDER, steps: [...mission.steps] };
  const agreement = encodeDocument({
    ...AGREEMENT,
    requirements: [{ id: "WALK", text: "It was walked.", check: { type: "execution_proof" } }],
    execution,
  });
  const terms: Terms = {
    buyer: BUYER,
    seller: SELLER,
    reward: REWARD,
    agreementHash: documentHash(agreement),
    adjudicator: GATE,
    adjudicatorConfig: executionGateConfigOf(mission.committedRoot, RECORDER),
    deliverBy: NOW + 3600,
    adjudicateBy: NOW + 3 * 3600,
    noVerdictSellerBps: 0,
    salt: 7n,
    ...changes.terms,
  };
  const agreementId = agreementIdOf(terms, CHAIN_ID, ESCROW);
  const { committedRoot, terminal } = mission;
  const place = { agreementId, committedRoot, terminal };
  const digest = typedDataDigest(executionTerminalTypedData({ ...place, chainId: CHAIN_ID, escrow: ESCROW }));
  const key = new Wallet(changes.signer ?? vectors.recorder.privateKey).signingKey;
  const delivery: GateDelivery = {
    escrow: ESCROW,
    terms,
    execution,
    records: mission.records.map(({ index, requestHash, responseHash }) => ({
      index,
      requestHash,
      responseHash,
    })),
    signature: key.sign(digest).serialized as Hex,
  };
  const verdictHash = changes.released?.verdictHash ?? executionVerdictHash({ ...place, recorder: RECORDER });
  const submitted = changes.submitted ?? terminal;
  const proven = logOf(new Interface(executionProofGateAbi), GATE, "ExecutionProven", [
    ...[ESCROW, agreementId, RECORDER, committedRoot, changes.released?.terminal ?? terminal],
    ...[mission.steps.length, verdictHash],
  ]);
  return {
    schema: BUNDLE_SCHEMA,
    agreementId,
    evm: {
      chainId: CHAIN_ID,
      escrow: ESCROW,
      token: TOKEN,
      finalizedBlock: 200,
      ...chained([
        { to: ESCROW, input: "0x", logs: [fundedLog(terms, agreementId)] },
        { to: ESCROW, input: "0x", logs: [escrowLog("Submitted", [agreementId, submitted])] },
        ...(changes.open === true
          ? []
          : [
              {
                to: changes.to ?? GATE,
                input: gateDeliveryCalldata((changes.delivery ?? ((same) => same))(delivery)),
                logs: [
                  proven,
                  escrowLog("Released", [agreementId, submitted, verdictHash]),
                  transferLog(terms.seller, terms.reward),
                ],
              },
            ]),
      ]),
      contractSignatures: [],
    },
    documents: { agreement: Buffer.from(agreement).toString("utf8"), submission: null },
    verdictRecord: null,
    judge: null,
    gaps: [],
  };
}
