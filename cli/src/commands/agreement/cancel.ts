import { simpleCallCommand } from "./simple-call.ts";

/** `assay agreement cancel`: the buyer takes the reward back. */
export const cancelCommand = simpleCallCommand({
  action: "cancel",
  summary: "take the reward back before the seller consents, as the buyer",
  description:
    "The buyer takes the whole reward back. It works until the seller accepts or submits; after that there are\n" +
    "`assay settle` (both sides), `assay concede` (one side gives up) and, after a deadline, `assay agreement expire`.",
  examples: "  assay agreement cancel 0x… --wallet buyer",
  done: "Cancelled",
  sender: ({ buyer }) => buyer,
  money: ({ buyer }, reward) => `${reward} goes back to the buyer, ${buyer}.`,
});
