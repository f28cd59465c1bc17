import type { Hex } from "@assay/protocol";
import type { ActName } from "./acts.ts";

/** The key of an act's transaction. */
export const keyOf = (name: ActName, agreementId: Hex): string => `${name}/${agreementId}`;

/** What has happened once an act's transaction is included. */
export const DONE: Readonly<Record<ActName, string>> = {
  accept: "Accepted",
  submit: "Delivered",
  cancel: "Cancelled; the money is back with the buyer",
  concede: "Conceded; the reward went to the other side",
  settle: "Settled as both of you signed",
  claim: "The verdict is delivered",
  expire: "Ended; the reward is paid out as agreed",
};

export const ACT_NAMES = Object.keys(DONE) as ActName[];
