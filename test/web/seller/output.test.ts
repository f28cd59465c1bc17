import { expect } from "chai";
import { type Wallet } from "ethers";
import { documentHash, jointPlanOf, parseSubmission, WORKFLOW_LIMITS, type Role } from "@assay/protocol";
import { emptyDelivery } from "../../../web/src/seller/delivery.ts";
import { outputProblem, outputToSign, packOutput } from "../../../web/src/seller/output.ts";
import { readTemplate } from "../../../web/src/buyer/draft.ts";
import { AGENTS, jointAgreement } from "../../protocol/support/joint.ts";

const AGREEMENT = jointAgreement();
const PLAN = jointPlanOf(AGREEMENT);
const TEXT = "Summary: done – <b>é</b>";

/** Signs what the page shows, as any tool does that takes `eth_signTypedData_v4`. */
async function signed(shown: string, wallet: Wallet): Promise<string> {
  const { domain, types, message } = JSON.parse(shown) as {
    domain: object;
    types: Record<string, { name: string; type: string }[]>;
    message: object;
  };
  const { EIP712Domain: _domain, ...own } = types;
  return wallet.signTypedData(domain, own, message as Record<string, unknown>);
}

const packedFor = (role: Role, text: string, signature: string) =>
  packOutput(AGREEMENT, emptyDelivery(PLAN.sides[role].agreementId), text, signature);

describe("the output of a joint agreement's agent", () => {
  it("is packed with the signature that was made over the typed data as shown", async () => {
    const signature = await signed(outputToSign(PLAN, TEXT), AGENTS.A);
    const packed = packedFor("A", TEXT, ` ${signature.toUpperCase().replace("0X", "0x")}\n`);
    if (!("document" in packed)) throw new Error(packed.problems.join());
    expect(parseSubmission(packed.document).output).to.deep.equal({ text: TEXT, signature });
    expect(packed.hash).to.equal(documentHash(packed.document));
  });

  it("is refused with any other signature, which would make the delivery none", async () => {
    const own = await signed(outputToSign(PLAN, TEXT), AGENTS.A);
    const others = {
      "of the other agent": packedFor("A", TEXT, await signed(outputToSign(PLAN, TEXT), AGENTS.B)),
      "over another text": packedFor("A", `${TEXT}.`, own),
      "for the other side": packedFor("B", TEXT, own),
      "of another workflow": packedFor(
        "A",
        TEXT,
        await signed(outputToSign(jointPlanOf(jointAgreement({ deliverBy: 1_800_001_001 })), TEXT), AGENTS.A),
      ),
      "that is none": packedFor("A", TEXT, "0x1234"),
    };
    for (const [what, packed] of Object.entries(others)) expect(packed, what).to.have.property("problems");
  });

  it("is never cut: one byte more than the contract takes is refused, told in bytes", () => {
    const { outputBytes } = WORKFLOW_LIMITS;
    expect(outputProblem("é".repeat(outputBytes / 2))).to.equal(null);
    expect(outputProblem(`${"é".repeat(outputBytes / 2)}a`)).to.include("16,001 bytes");
  });

  it("a joint document is refused by the form for one seller, which would drop half of it", () => {
    expect(() => readTemplate(JSON.stringify(AGREEMENT))).to.throw("joint agreement of two sellers");
  });
});
