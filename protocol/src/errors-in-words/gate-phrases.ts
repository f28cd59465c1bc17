import type { executionProofGateAbi } from "../abi/execution-proof-gate.ts";
import type { ErrorName, Phrase } from "./words.ts";

/** Words for every error of the gate that pays for proven execution; the compiler asks for each. */
export const GATE_PHRASES: Readonly<Record<ErrorName<typeof executionProofGateAbi>, Phrase>> = {
  CommitmentMismatch: ({ config, expected }) => ({
    message: `Nonce, steps and recorder amount to ${String(config)}; both sides agreed on ${String(expected)}.`,
    hint: "Hand in exactly the nonce, the steps and the recorder of the agreement.",
  }),
  ExchangeCountMismatch: ({ exchanges, steps }) => ({
    message: `There are ${String(exchanges)} recorded exchanges for ${String(steps)} steps.`,
    hint: "Hand in one exchange for each step, in their order.",
  }),
  RecorderInvalid: ({ recorder }) => ({
    message: `${String(recorder)} can't be the recorder: it is nobody, or the seller, whose word about its own work counts for nothing.`,
    hint: "Agree on a recorder whom both sides believe.",
  }),
  SequenceEmpty: () => ({
    message: "A sequence without steps proves nothing.",
    hint: "Agree on at least one step.",
  }),
  StepMisplaced: ({ position, index }) => ({
    message: `The step at place ${String(position)} says that it is number ${String(index)}.`,
    hint: "Hand in the steps in the order that was agreed on, counted from 0.",
  }),
  TerminalNotSigned: ({ recorder }) => ({
    message: `The recorder ${String(recorder)} has not signed that this agreement's walk ended like this.`,
    hint: "Take the signature that the recorder gave for this agreement, with the exchanges unchanged.",
  }),
};
