import type { TransactionFaults } from "../ledger/records.ts";

/** Misbehaviour for the next transactions of a contract, or of any. */
export interface TransactionFaultRule {
  readonly contract: string | null;
  /** How many transactions it still applies to. */
  readonly transactions: number;
  readonly faults: TransactionFaults;
}

/** Misbehaviour waiting for transactions to befall. */
export interface TransactionFaultPlan {
  add(rule: TransactionFaultRule): void;
  /** What befalls a transaction of `contract` that is being activated now. */
  draw(contract: string): TransactionFaults;
  clear(): void;
}

/** @returns a plan without rules. */
export function createTransactionFaultPlan(): TransactionFaultPlan {
  let rules: readonly TransactionFaultRule[] = [];
  return {
    add(rule) {
      rules = [...rules, rule];
    },
    draw(contract) {
      const applies = (rule: TransactionFaultRule): boolean =>
        rule.contract === null || rule.contract.toLowerCase() === contract.toLowerCase();
      const drawn = rules.filter(applies).map(({ faults }) => faults);
      rules = rules
        .map((rule) => (applies(rule) ? { ...rule, transactions: rule.transactions - 1 } : rule))
        .filter(({ transactions }) => transactions > 0);
      return Object.assign({}, ...drawn) as TransactionFaults;
    },
    clear() {
      rules = [];
    },
  };
}
