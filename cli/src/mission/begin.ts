import { randomBytes } from "node:crypto";
import { ZERO_HASH, missionNonce, nonceCommitment, printable, type Hex, type Terms } from "@assay/protocol";
import { RefusedError } from "../errors.ts";
import type { Agent, Begun, Memory } from "./memory.ts";
import type { MissionView } from "./mission-view.ts";
import type { RecorderClient } from "./recorder.ts";

/** Who begins, with whom, and what is kept of it. */
export interface Beginning {
  readonly client: RecorderClient;
  readonly memory: Memory;
  readonly agent: Agent;
}

/** The agreement that a mission is walked for. */
export interface WalkedAgreement {
  readonly agreementId: Hex;
  readonly chainId: number;
  readonly escrow: string;
  readonly terms: Terms;
  /** The document's exact text. */
  readonly document: string;
  /** The seller's `WalkAuthorization` for an agent; asked for once. */
  readonly authorize: (agentId: string) => Promise<Hex>;
}

/** Who this machine is with the recorder; onboards it when it is nobody yet. */
export async function agentWith(client: RecorderClient, memory: Memory): Promise<Agent> {
  return (await memory.agent()) ?? (await memory.keepAgent(await client.onboard()));
}

/**
 * Begins a job of the board, or goes on with the one that was begun. The recorder commits to its nonce first; then the
 * agent's own is mixed in, so that neither side chooses the root alone.
 *
 * @throws RefusedError when the recorder's nonce is not the one that it committed to.
 */
export async function beginJob(beginning: Beginning, jobId: string): Promise<MissionView> {
  const { client, memory, agent } = beginning;
  const begun = await memory.begun(jobId);
  if (begun?.missionId !== undefined) return client.mission(begun.missionId);
  const choice = begun ?? (await choose(beginning, jobId));
  const { offerId = "", agentNonce = ZERO_HASH, commitment } = choice;
  const mission = await client.start(jobId, agent.apiKey, { offerId, agentNonce });
  const recorderNonce = mission.nonce_origin?.recorder_nonce;
  const isMixed =
    recorderNonce !== undefined &&
    nonceCommitment(recorderNonce) === commitment &&
    missionNonce(recorderNonce, agentNonce) === mission.nonce;
  if (!isMixed)
    throw new RefusedError(
      "nonce_differs",
      "the mission's nonce is not mixed from what the recorder committed to and this agent's own",
      "The recorder chose it alone; take no mission of it.",
    );
  await memory.keepBegun({ ...choice, missionId: mission.mission_id });
  return mission;
}

async function choose({ client, memory, agent }: Beginning, jobId: string): Promise<Omit<Begun, "recorder">> {
  const { offerId, commitment } = await client.offer(jobId, agent.apiKey);
  const agentNonce: Hex = `0x${randomBytes(32).toString("hex")}`;
  const choice = { subject: jobId, offerId, commitment, agentNonce };
  // Kept before it is said, so that an interrupted start is asked for again with the same nonce.
  await memory.keepBegun(choice);
  return choice;
}

/**
 * Begins the mission that an agreement asks for, or goes on with it.
 *
 * @param missionId a mission that was begun from the board and whose nonce the agreement has; it is bound to it.
 */
export async function beginFor(
  { client, memory, agent }: Beginning,
  agreement: WalkedAgreement,
  missionId?: string,
): Promise<MissionView> {
  const { agreementId, chainId, escrow, terms, document } = agreement;
  const begun = await memory.begun(agreementId);
  if (begun?.missionId !== undefined) return client.mission(begun.missionId);
  const body = {
    agreement: document,
    terms: { ...terms, reward: `${terms.reward}`, salt: `${terms.salt}` },
    chain_id: chainId,
    escrow,
    seller_signature: await agreement.authorize(agent.agentId),
  };
  const mission =
    missionId === undefined
      ? await client.startFor(body, agent.apiKey)
      : await client.bind(missionId, body, agent.apiKey);
  if (mission.agent_id !== agent.agentId)
    throw new RefusedError(
      "another_agent",
      `agent ${printable(mission.agent_id)} walks for this agreement already`,
      "Go on from the machine that began it; the recorder gives a mission to nobody else.",
    );
  await memory.keepBegun({ subject: agreementId, missionId: mission.mission_id });
  return mission;
}
