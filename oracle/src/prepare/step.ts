import { TypedDataEncoder } from "ethers";
import { typedDataDigest, type Address, type Hex, type TypedData } from "@assay/protocol";

/** Something to sign with an account's key; nothing is sent. */
export interface SignStep {
  readonly kind: "sign";
  readonly signer: Address;
  /** In one sentence: what the signature does. */
  readonly description: string;
  /** Where the signature goes: a member of this operation's request. */
  readonly goesInto: string;
  /** As `eth_signTypedData_v4` takes it. */
  readonly typedData: Readonly<Record<string, unknown>>;
  readonly digest: Hex;
}

/** A transaction to sign and send. */
export interface SendStep {
  readonly kind: "send";
  /** Who has to send it; null when anyone may. */
  readonly from: Address | null;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. No operation of Assay takes the chain's own coin. */
  readonly value: "0";
  readonly function: string;
  readonly description: string;
  /** Whether the step before has to be in a block first, so that simulating this one now says nothing. */
  readonly dependsOnPrevious: boolean;
}

export type Step = SignStep | SendStep;

/** What to do to bring about one transition. */
export interface Plan {
  readonly agreementId: Hex | null;
  readonly steps: readonly Step[];
  /** What else to know, a sentence each. */
  readonly notes: readonly string[];
}

/** A step that asks for a signature. */
export function signStep(
  step: Pick<SignStep, "signer" | "description" | "goesInto">,
  typedData: TypedData,
): SignStep {
  const { domain, types, message } = typedData;
  return {
    kind: "sign",
    ...step,
    typedData: TypedDataEncoder.getPayload(domain, types, message) as Record<string, unknown>,
    digest: typedDataDigest(typedData),
  };
}

/** A step that asks for a transaction. */
export function sendStep(
  step: Pick<SendStep, "from" | "to" | "data" | "function" | "description">,
  dependsOnPrevious = false,
): SendStep {
  return { kind: "send", value: "0", dependsOnPrevious, ...step };
}
