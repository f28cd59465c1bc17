import type { ChainKind } from "../kinds.ts";
import { EMPTY_STATE, type Ledger } from "../ledger/ledger.ts";
import type { StateHash, TransactionInput, TransactionRecord } from "../ledger/records.ts";

/** Puts an accepted transaction's storage in place, or the contract that it deploys. An error changes nothing. */
export function applyAcceptance(ledger: Ledger, input: TransactionInput, record: TransactionRecord): void {
  if (!hasReturned(record) || record.stateAfter === null) return;
  const contract = ledger.contracts.get(input.contract);
  if (contract !== undefined) {
    ledger.contracts.put(input.contract, { ...contract, accepted: record.stateAfter });
  } else if (input.code !== undefined) {
    ledger.contracts.put(input.contract, {
      address: input.contract,
      code: input.code,
      deployedBy: input.id,
      accepted: record.stateAfter,
      // Only the code is there at once; storage reads as zeros until the deployment is finalized.
      finalized: ledger.keepState(EMPTY_STATE),
    });
  }
}

/** Gives a contract back the storage that it had before `record`, or takes it away when `record` deployed it. */
export function undoAcceptance(ledger: Ledger, input: TransactionInput, record: TransactionRecord): void {
  const contract = ledger.contracts.get(input.contract);
  if (contract === undefined) return;
  if (record.stateBefore === null) ledger.contracts.remove(input.contract);
  else ledger.contracts.put(input.contract, { ...contract, accepted: record.stateBefore });
}

/** Moves a contract's finalized storage on, when a transaction that was accepted and returned becomes final. */
export function applyFinality(
  kind: ChainKind,
  ledger: Ledger,
  input: TransactionInput,
  accepted: TransactionRecord,
): void {
  const contract = ledger.contracts.get(input.contract);
  if (contract === undefined || accepted.consensus.status !== "ACCEPTED" || !hasReturned(accepted)) return;
  // Studio copies the whole accepted storage, later writes that are still appealable included.
  const finalized = kind === "studio" ? contract.accepted : (accepted.stateAfter ?? contract.accepted);
  ledger.contracts.put(contract.address, { ...contract, finalized });
}

/** The snapshots that can still be read: those of contracts, and those that an open transaction may go back to. */
export function liveStates(ledger: Ledger, open: Iterable<TransactionRecord>): ReadonlySet<StateHash> {
  const live = new Set<StateHash>();
  for (const { accepted, finalized } of ledger.contracts.values()) live.add(accepted).add(finalized);
  for (const { stateBefore, stateAfter } of open) {
    if (stateBefore !== null) live.add(stateBefore);
    if (stateAfter !== null) live.add(stateAfter);
  }
  return live;
}

function hasReturned({ consensus }: TransactionRecord): boolean {
  return consensus.execution === "FINISHED_WITH_RETURN";
}
