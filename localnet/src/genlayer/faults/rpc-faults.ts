/** How a JSON-RPC call is made to go wrong. */
export type RpcFault =
  /** Answers this instead of asking the network. */
  | { readonly effect: "result"; readonly result: unknown }
  | { readonly effect: "error"; readonly code: number; readonly message: string }
  /** Answers below JSON-RPC, such as a 429 with an HTML page. */
  | { readonly effect: "http"; readonly status: number; readonly contentType: string; readonly body: string }
  /** Answers truly, but late. */
  | { readonly effect: "delay"; readonly milliseconds: number }
  /** Answers what the same call answered the first time it was made under this rule. */
  | { readonly effect: "stale" }
  /** Does what was asked, then closes the connection without an answer. */
  | { readonly effect: "hang-up" };

/** A fault for the next calls of one method, or of any (`*`). */
export interface RpcFaultRule {
  readonly method: string;
  /** How many calls it still applies to. */
  readonly calls: number;
  readonly fault: RpcFault;
}

/** Faults waiting for calls to befall. */
export interface RpcFaultPlan {
  add(rule: RpcFaultRule): void;
  /** The fault that befalls this call, if any. */
  draw(method: string): RpcFault | undefined;
  /** The first answer to `key` since the plan was last cleared, for stale answers. */
  firstAnswer(key: string, answer: unknown): unknown;
  clear(): void;
}

/** @returns a plan without rules. */
export function createRpcFaultPlan(): RpcFaultPlan {
  let rules: readonly RpcFaultRule[] = [];
  const answers = new Map<string, unknown>();
  return {
    add(rule) {
      rules = [...rules, rule];
    },
    draw(method) {
      const drawn = rules.find((rule) => rule.method === "*" || rule.method === method);
      if (drawn === undefined) return undefined;
      rules = rules
        .map((rule) => (rule === drawn ? { ...rule, calls: rule.calls - 1 } : rule))
        .filter(({ calls }) => calls > 0);
      return drawn.fault;
    },
    firstAnswer(key, answer) {
      if (!answers.has(key)) answers.set(key, answer);
      return answers.get(key);
    },
    clear() {
      rules = [];
      answers.clear();
    },
  };
}
