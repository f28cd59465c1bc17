import { certificateOf, heldForPartner } from "../attest/index.ts";
import type { SubmissionState } from "../core/index.ts";
import { holdsSubmission } from "../judge/index.ts";
import { RpcResponseError, capped, escrowInterface, quorumInterface } from "../rpc/index.ts";
import {
  NotYetError,
  chainView,
  rankOf,
  settleLane,
  type Handler,
  type Services,
  type Step,
} from "../run/index.ts";
import { evaluatorInterface, venueOf, type SignedVerdict } from "../venue/index.ts";
import { keyOf } from "../store/index.ts";

/** Signs and journals the delivery of a certificate, when it is this operator's turn and the escrow still waits. */
export function createSettlementHandler(services: Services): Handler {
  const { chain, config, submitter, attester } = services;

  return async ({ state, attempts, journal }) => {
    const halt = services.haltReason();
    if (halt !== null) throw new NotYetError(`signing is halted: ${halt}`);
    const { latest, final } = chainView(services);
    if (latest.timestamp > state.adjudicateBy)
      return { wait: "finality", note: "the adjudication window is over" };
    const rank = rankOf(state.agreementId, attester.address, config.members.addresses) ?? 0;
    if (latest.timestamp < state.turnFrom + rank * config.rankSeconds)
      return { wait: "poll", note: `member number ${rank + 1} of the agreement, waiting for its turn` };
    const held = await heldForPartner(services, state);
    if (held !== null) return { wait: "poll", note: held };
    // Signed bytes outlive a rebuilt database: they may be on their way, so others would race them.
    const own = await journal.open("settle");
    const signed = own?.status === "open" ? own.attempts.at(-1) : undefined;
    if (signed !== undefined)
      return { events: [{ type: "SettlementSigned", transactionHash: signed.transactionHash }] };
    const venue = await venueOf(services, state);
    const data = venue.delivery(await signedVerdict(services, state));
    if (data === null)
      return {
        wait: "finality",
        note: "this outcome moves nothing there: the job's expiry refunds its client",
      };
    const escrows = await Promise.all([final.number, latest.number].map((at) => venue.state(state, at)));
    for (const escrow of escrows)
      if (!holdsSubmission(escrow, state.submissionHash))
        return { wait: "poll", note: `the escrow is ${escrow.status}` };
    const call = { from: submitter.address, to: venue.verifier, data };
    const [gas, fees] = await Promise.all([
      chain.estimateGas(call).catch((error: unknown) => refusedByChain(error, attempts)),
      chain.fees(),
    ]);
    if (typeof gas !== "bigint") return gas;
    if (venue.mostGas !== null && gas > venue.mostGas) return tooExpensive(gas, venue.mostGas);
    return {
      lane: settleLane(services),
      sign: (nonce) =>
        submitter.signTransaction({
          chainId: config.evm.chainId,
          nonce,
          to: call.to,
          data,
          gasLimit: (gas * 5n) / 4n + 20_000n,
          fees: capped(fees, config.evm.maxFeePerGas),
        }),
      signed: (transactionHash) => ({ events: [{ type: "SettlementSigned", transactionHash }] }),
    };
  };
}

function tooExpensive(gas: bigint, most: bigint): Step {
  const reason = `the delivery would take ${gas} gas, of which at most ${most} is spent`;
  return { events: [{ type: "SettlementFailed", reason }] };
}

/** What is delivered: exactly as many signatures as are needed, each at its member's place. */
async function signedVerdict(services: Services, state: SubmissionState): Promise<SignedVerdict> {
  const { store, config } = services;
  const { addresses: members, threshold } = config.members;
  const { verdict, digest } = await certificateOf(services, state);
  const held = (await store.attestations(keyOf(state))).filter((row) => row.digest === digest);
  const used = held.slice(0, threshold);
  if (used.length < threshold) throw new NotYetError(`${used.length} of ${threshold} signatures`);
  const signatures = members.map((member) => used.find((row) => row.operator === member)?.signature ?? "0x");
  return { verdict, members, threshold, signatures };
}

/**
 * A simulation that failed. Without revert data it is the endpoint that failed, not the call; with it, the chain was
 * asked at a moment when the escrow had just been settled, or something is wrong that a person has to see.
 */
function refusedByChain(error: unknown, attempts: number): Step {
  if (!(error instanceof RpcResponseError) || error.data === null) throw error;
  const name = revertName(error.data);
  if (attempts < 2) throw new NotYetError(`the delivery would revert with ${name}`);
  return { events: [{ type: "SettlementFailed", reason: `the delivery would revert with ${name}` }] };
}

function revertName(data: string): string {
  const parsed =
    quorumInterface.parseError(data) ??
    escrowInterface.parseError(data) ??
    evaluatorInterface.parseError(data);
  return parsed?.name ?? data.slice(0, 10);
}
