import { simpleCallCommand } from "./simple-call.ts";

/** `assay agreement expire`: a deadline passed. */
export const expireCommand = simpleCallCommand({
  action: "expire",
  summary: "end an agreement whose deadline has passed, as anyone",
  description:
    "Ends an agreement that nobody else ends: without a submission after the delivery's deadline the buyer is\n" +
    "refunded; without a verdict after the judging deadline the reward is split as agreed.",
  examples: "  assay agreement expire 0x… --wallet anyone",
  done: "Expired",
  sender: () => null,
  money: ({ noVerdictSellerBps }, reward) =>
    `${reward} goes back to the buyer; if work was submitted, ${noVerdictSellerBps / 100}% of it goes to the seller.`,
});
