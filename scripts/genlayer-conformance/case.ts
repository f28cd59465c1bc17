/** A value of calldata as JSON: `{"$bytes"}`, `{"$address"}` and `{"$integer"}` say what JSON cannot. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** What one node's model and web answer during a run. */
export interface Answers {
  /** In the order of asking: what the model writes, or why it fails. */
  readonly model?: readonly (string | { readonly error: "transient" | "model" })[];
  /** By URL; others do not answer. */
  readonly web?: Readonly<Record<string, Page>>;
}

/** An HTTP answer, its body as text. */
export interface Page {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a run came to, apart from votes. */
export type Outcome =
  | { readonly return: Value }
  | { readonly userError: string }
  /** Only that it is one is compared: GenVM tells no more than an exit code. */
  | { readonly vmError: string };

/** How a validator's run went: `differs` when it ended otherwise than the leader's without a ruling against it. */
export type Vote = "agree" | "disagree" | "differs";

/** What a step came to. */
export type Observation = Outcome & { readonly votes?: readonly Vote[] };

/** One run of the leader, and of each validator. */
export interface Step extends Answers {
  readonly kind: "deploy" | "write" | "read" | "schema";
  readonly method?: string;
  readonly args?: readonly Value[];
  readonly kwargs?: Readonly<Record<string, Value>>;
  /** The whole call as hex, in place of method and arguments. */
  readonly calldata?: string;
  readonly sender?: string;
  /** Native value in base units, decimal. */
  readonly value?: string;
  readonly validators?: readonly Answers[];
  /** What GenVM gives. */
  readonly expect: Observation;
  /** What our executor gives where it differs knowingly, and why. */
  readonly known?: { readonly ours: Observation; readonly why: string };
}

/**
 * What a case needs of the host that runs the SDK: the entry point's own dispatch of calls, a machine of its own for
 * each block, permissions, rolling back, the SDK's sandboxes, blocks whose leader fails.
 */
export type Need = "dispatch" | "isolation" | "permissions" | "rollback" | "sandbox" | "leader-error";

/** A contract and what is done with it, in order. Everything is plain JSON. */
export interface Case {
  readonly id: string;
  readonly source: string;
  readonly needs: readonly Need[];
  readonly steps: readonly Step[];
}

/** The message that every step is sent with, unless it says otherwise. */
export const SETTINGS = {
  contract: `0x${"c0".repeat(20)}`,
  sender: `0x${"5e".repeat(20)}`,
  chainId: "61127",
  datetime: "2026-01-02T03:04:05Z",
} as const;
