import { expect } from "chai";
import type { Address, Hex } from "@assay/protocol";
import {
  ESCROW_STATUSES,
  RpcUnavailableError,
  createEvmChain,
  escrowInterface,
} from "../../../oracle/src/rpc/index.ts";
import { rejection } from "../support/rejection.ts";

const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const AGREEMENT: Hex = `0x${"a7".repeat(32)}`;
const PREFIX: Hex = `0x${"5b".repeat(31)}`;

describe("the escrow's state", () => {
  /** A chain that answers every question so, and keeps what was asked. */
  function answering(answer: string) {
    const asked: unknown[] = [];
    const chain = createEvmChain({
      rpc: {
        origin: "sim://evm",
        send(_method, parameters) {
          asked.push(parameters);
          return Promise.resolve(answer);
        },
      },
      chainId: 1,
      escrow: ESCROW,
      quorum: ESCROW,
      finality: "finalized",
    });
    return { chain, asked };
  }

  const encoded = (status: number) => escrowInterface.encodeFunctionResult("stateOf", [status, PREFIX]);

  it("is asked and read as the contract's interface says, in every status", async () => {
    for (const [index, status] of ESCROW_STATUSES.entries()) {
      const { chain, asked } = answering(encoded(index));
      expect(await chain.escrowState(AGREEMENT, 16)).to.deep.equal({ status, submissionHashPrefix: PREFIX });
      const data = escrowInterface.encodeFunctionData("stateOf", [AGREEMENT]);
      expect(asked).to.deep.equal([[{ to: ESCROW, data }, "0x10"]]);
    }
  });

  it("is unknown when the answer is none", async () => {
    const good = encoded(3);
    for (const answer of [
      "0x",
      good.slice(0, -2),
      `${good}00`,
      `${good.slice(0, -2)}01`,
      `0x${"0".repeat(63)}7${good.slice(66)}`,
      `0x01${good.slice(4)}`,
    ]) {
      const error = await rejection(answering(answer).chain.escrowState(AGREEMENT, "latest"));
      expect(error, answer).to.be.instanceOf(RpcUnavailableError);
    }
  });
});
