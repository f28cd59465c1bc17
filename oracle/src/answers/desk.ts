import { Interface } from "ethers";
import {
  fiatTokenAbi,
  parseVerdictRecord,
  toAddress,
  toHash,
  type Address,
  type Hex,
  type Verdict,
} from "@assay/protocol";
import type { OperatorConfig } from "../config/index.ts";
import { EVALUATION_EVENTS, VERDICT_EVENTS } from "../ingest/index.ts";
import type { CollectedCertificate, Desk, SettledVerdict, TokenInfo } from "../prepare/index.ts";
import { escrowInterface, type EvmChain } from "../rpc/index.ts";
import type { Store } from "../store/index.ts";
import { AnswerError } from "./errors.ts";

const tokenInterface = new Interface(fiatTokenAbi);
const RULINGS: readonly string[] = [...VERDICT_EVENTS, ...EVALUATION_EVENTS];

/** What this operator can look up for a preparation: its own store, and the chain's latest block. */
export function createDesk(options: {
  readonly config: OperatorConfig;
  readonly store: Store;
  readonly chain: EvmChain;
  publicUrl(): string;
  /** Unix seconds, by the chain. */
  now(): number;
}): Desk {
  const { config, store, chain } = options;
  const { escrow, quorum, chainId } = config.evm;
  let token: TokenInfo | null = null;

  async function read(
    to: Address,
    contract: Interface,
    name: string,
    values: unknown[] = [],
  ): Promise<unknown> {
    try {
      const answer = await chain.call({ to, data: contract.encodeFunctionData(name, values) as Hex });
      return contract.decodeFunctionResult(name, answer)[0] as unknown;
    } catch (cause) {
      throw new AnswerError(
        "chain_unavailable",
        `The token's ${name} could not be read from the chain.`,
        "Try again in a moment.",
        [],
        { cause },
      );
    }
  }

  async function readToken(): Promise<TokenInfo> {
    const address = toAddress(String(await read(escrow, escrowInterface, "token")));
    const [name, version] = await Promise.all([
      read(address, tokenInterface, "name"),
      read(address, tokenInterface, "version"),
    ]);
    return { address, name: String(name), version: String(version) };
  }

  return {
    chainId,
    escrow,
    quorum,
    now: () => options.now(),
    async terms(agreementId) {
      const agreement = await store.agreement(agreementId);
      return agreement?.job === null ? agreement.terms : null;
    },
    async job(key) {
      const agreement = await store.agreement(key);
      return agreement?.job == null
        ? null
        : { jobId: agreement.job.jobId, evaluator: agreement.terms.adjudicator };
    },
    // The escrow's token never changes, nor does the name in its signing domain without a notice from its issuer.
    token: async () => (token ??= await readToken()),
    async allowance(owner) {
      const { address } = (token ??= await readToken());
      return BigInt(String(await read(address, tokenInterface, "allowance", [owner, escrow])));
    },
    async permitNonce(owner) {
      const { address } = (token ??= await readToken());
      return BigInt(String(await read(address, tokenInterface, "nonces", [owner])));
    },
    certificate: (agreementId) => certificateOf(store, config, agreementId),
    settledVerdict: (agreementId) => settledVerdictOf(store, options.publicUrl(), agreementId),
  };
}

/** The newest certificate that this operator signed for an agreement, with every signature that is here. */
async function certificateOf(
  store: Store,
  { evm, members }: OperatorConfig,
  agreementId: Hex,
): Promise<CollectedCertificate | null> {
  const escrow = (await store.agreement(agreementId))?.job?.commerce ?? evm.escrow;
  for (const { state } of (await store.submissionsOf(agreementId)).toReversed()) {
    const signed = await store.signed(escrow, state);
    if (signed === null) continue;
    const held = (await store.attestations(state)).filter(({ digest }) => digest === signed.digest);
    // Exactly as many as are needed: more only cost gas.
    const used = held.slice(0, members.threshold);
    return {
      verdict: JSON.parse(signed.verdict) as Verdict,
      members: members.addresses,
      threshold: members.threshold,
      signatures: members.addresses.map(
        (member) => used.find(({ operator }) => operator === member)?.signature ?? "0x",
      ),
      collected: held.length,
    };
  }
  return null;
}

/** The verdict by which a final block says that the agreement ended, with the record behind it. */
async function settledVerdictOf(
  store: Store,
  publicUrl: string,
  agreementId: Hex,
): Promise<SettledVerdict | null> {
  const [agreement, logs, cursor] = await Promise.all([
    store.agreement(agreementId),
    store.logsOf(agreementId),
    store.cursor(),
  ]);
  const ruling = logs.find(({ name }) => RULINGS.includes(name));
  if (agreement === null || ruling === undefined || cursor === null) return null;
  if (ruling.blockNumber > cursor.final.number) return null;
  const verdictHash = toHash(ruling.data["verdictHash"] ?? ruling.data["reason"] ?? "");
  const stored = await store.verdict(verdictHash);
  if (stored === null) return null;
  return {
    terms: agreement.terms,
    record: parseVerdictRecord(stored.record),
    verdictHash,
    uri: `${publicUrl}/v1/verdicts/${verdictHash}`,
  };
}
