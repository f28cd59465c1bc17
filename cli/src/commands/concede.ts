import { partyOf, simpleCallCommand } from "./agreement/simple-call.ts";

/** `assay concede`: one side gives the whole reward to the other. */
export const concedeCommand = simpleCallCommand({
  action: "concede",
  summary: "give the whole reward to the other side",
  description:
    "The buyer pays the seller the whole reward, or the seller gives it all back: whoever's wallet it is gives up.\n" +
    "It works until the agreement ends, needs nobody's consent, and can't be undone.",
  examples:
    "  assay concede 0x… --wallet buyer     # pay without a verdict\n" +
    "  assay concede 0x… --wallet seller    # decline, or give the reward back",
  done: "Conceded",
  // Both may; of a stranger the contract itself says that it is none of them.
  sender: () => null,
  money: (terms, reward, caller) =>
    partyOf(terms, caller) === "seller"
      ? `${reward} goes back to the buyer, ${terms.buyer}.`
      : `${reward} goes to the seller, ${terms.seller}.`,
});
