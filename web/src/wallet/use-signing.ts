import { useState } from "react";
import type { Hex, TypedData } from "@assay/protocol";
import { Stopped, sign, type Writer } from "./transact.ts";
import { IDLE, nextTransaction, type Transaction } from "./transaction.ts";

/** A signature that is asked for by itself, without a transaction. */
export interface Signing {
  /** Never further than `asking`, `rejected` or `failed`. */
  readonly state: Transaction;
  /** Null when the wallet gave none; the state says why. */
  readonly ask: (writer: Writer, typedData: TypedData) => Promise<Hex | null>;
  readonly dismiss: () => void;
}

/** Asks the wallet for a signature, and follows how that goes. */
export function useSigning(): Signing {
  const [state, setState] = useState<Transaction>(IDLE);
  return {
    state,
    async ask(writer, typedData) {
      setState({ name: "simulating" });
      try {
        const signature = await sign(writer, typedData, (event) =>
          setState((before) => nextTransaction(before, event)),
        );
        setState(IDLE);
        return signature;
      } catch (error) {
        if (error instanceof Stopped) return null;
        throw error;
      }
    },
    dismiss: () => setState(IDLE),
  };
}
