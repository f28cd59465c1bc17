import { NotYetError, chainView, type Handler, type Services } from "../run/index.ts";

/** Waits until the block that reports the settlement is final. */
export function createConfirmHandler(services: Services): Handler {
  const { chain } = services;
  return async ({ state }) => {
    if (state.seen === null) throw new NotYetError("no settlement is known");
    const { block } = state.seen;
    if (block.number > chainView(services).final.number) return { wait: "finality" };
    const header = await chain.header(block.number);
    if (header?.hash !== block.hash)
      throw new NotYetError(`block ${block.number} reads as ${header?.hash ?? "missing"}, not ${block.hash}`);
    return { events: [{ type: "SettlementFinal" }] };
  };
}
