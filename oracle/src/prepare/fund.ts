import { Interface } from "ethers";
import { z } from "@hono/zod-openapi";
import {
  acceptanceTypedData,
  agreementEscrowAbi,
  fiatTokenAbi,
  fundingAuthorizationTypedData,
  permitTypedData,
  toTermsStruct,
  type Hex,
} from "@assay/protocol";
import { termsIn } from "../answers/schemas/terms.ts";
import { addressIn, secondsIn, signatureIn } from "../answers/schemas/values.ts";
import type { Desk } from "./desk.ts";
import { operation } from "./operation.ts";
import { sendStep, signStep, type SendStep, type SignStep } from "./step.ts";
import { newMatter, type Matter } from "./subject.ts";

const escrowAbi = new Interface(agreementEscrowAbi);
const tokenAbi = new Interface(fiatTokenAbi);

const sellerSignature = signatureIn.optional().openapi({
  type: "string",
  description: "The seller's Acceptance, to fund an agreement that is accepted at once.",
});

const SELLER_NOTE =
  "Without sellerSignature the seller consents later: by accept, by acceptWithSignature, or by submitting.";

/** The seller's consent, as typed data; it may be added to any way of funding. */
export function acceptanceStep({ chainId, escrow }: Desk, { agreementId, terms }: Matter): SignStep {
  return signStep(
    {
      signer: terms.seller,
      description: "The seller consents to exactly these terms.",
      goesInto: "sellerSignature",
    },
    acceptanceTypedData(agreementId, chainId, escrow),
  );
}

function notesOf(signature: Hex | undefined): readonly string[] {
  return signature === undefined ? [SELLER_NOTE] : [];
}

export const fund = operation({
  name: "fund",
  title: "Fund by allowance",
  summary:
    "The buyer locks the reward from its allowance to the escrow; the first step approves it when the allowance is too small.",
  request: z.strictObject({ terms: termsIn, sellerSignature }),
  async plan(desk, request) {
    const matter = await newMatter(desk, request.terms);
    const approval = await approvalStep(desk, matter);
    const data = escrowAbi.encodeFunctionData("fund", [
      toTermsStruct(matter.terms),
      request.sellerSignature ?? "0x",
    ]) as Hex;
    const step = sendStep(
      {
        from: matter.terms.buyer,
        to: desk.escrow,
        data,
        function: "fund(Terms,bytes)",
        description: `Locks ${matter.terms.reward} base units for the seller ${matter.terms.seller}.`,
      },
      approval.length > 0,
    );
    return {
      agreementId: matter.agreementId,
      steps: [...approval, step],
      notes: notesOf(request.sellerSignature),
    };
  },
});

/** Approves exactly the reward, and nothing when that is allowed already. */
async function approvalStep(desk: Desk, { terms }: Matter): Promise<SendStep[]> {
  if ((await desk.allowance(terms.buyer)) >= terms.reward) return [];
  const token = await desk.token();
  return [
    sendStep({
      from: terms.buyer,
      to: token.address,
      data: tokenAbi.encodeFunctionData("approve", [desk.escrow, terms.reward]) as Hex,
      function: "approve(address,uint256)",
      description: `Allows the escrow to take ${terms.reward} base units of ${token.name}. Only the buyer can use that allowance.`,
    }),
  ];
}

export const fundWithPermit = operation({
  name: "fundWithPermit",
  title: "Fund by permit",
  summary: "The buyer signs an EIP-2612 permit and funds with it in one transaction.",
  request: z.strictObject({
    terms: termsIn,
    permitDeadline: secondsIn
      .optional()
      .openapi({ description: "Unix seconds; the delivery deadline when left out." }),
    permitSignature: signatureIn.optional(),
    sellerSignature,
  }),
  async plan(desk, request) {
    const matter = await newMatter(desk, request.terms);
    const deadline = request.permitDeadline ?? matter.terms.deliverBy;
    const { agreementId, terms } = matter;
    if (request.permitSignature === undefined) {
      const [token, nonce] = await Promise.all([desk.token(), desk.permitNonce(terms.buyer)]);
      const typedData = permitTypedData({
        token: { ...token, chainId: desk.chainId },
        owner: terms.buyer,
        spender: desk.escrow,
        value: terms.reward,
        nonce,
        deadline,
      });
      const step = signStep(
        {
          signer: terms.buyer,
          description: `Allows the escrow to take ${terms.reward} base units of ${token.name}.`,
          goesInto: "permitSignature",
        },
        typedData,
      );
      return {
        agreementId,
        steps: [step],
        notes: [again("permitSignature"), ...notesOf(request.sellerSignature)],
      };
    }
    const data = escrowAbi.encodeFunctionData("fundWithPermit", [
      toTermsStruct(terms),
      deadline,
      request.permitSignature,
      request.sellerSignature ?? "0x",
    ]) as Hex;
    const step = sendStep({
      from: terms.buyer,
      to: desk.escrow,
      data,
      function: "fundWithPermit(Terms,uint256,bytes,bytes)",
      description: `Uses the permit and locks ${terms.reward} base units for the seller ${terms.seller}.`,
    });
    return { agreementId, steps: [step], notes: notesOf(request.sellerSignature) };
  },
});

export const fundWithAuthorization = operation({
  name: "fundWithAuthorization",
  title: "Fund by one signature",
  summary:
    "The buyer signs one ERC-3009 authorization whose nonce is the agreement's id: it pays and freezes the terms. Anyone may send it.",
  request: z.strictObject({
    terms: termsIn,
    validAfter: secondsIn.default(0),
    validBefore: secondsIn
      .optional()
      .openapi({ description: "Unix seconds; the delivery deadline when left out." }),
    authorizationSignature: signatureIn.optional(),
    sellerSignature,
    from: addressIn
      .optional()
      .openapi({ type: "string", description: "Who will send it, for the simulation." }),
  }),
  async plan(desk, request) {
    const matter = await newMatter(desk, request.terms);
    const { agreementId, terms } = matter;
    const { validAfter } = request;
    const validBefore = request.validBefore ?? terms.deliverBy;
    if (request.authorizationSignature === undefined) {
      const token = await desk.token();
      const step = signStep(
        {
          signer: terms.buyer,
          description: `Pays ${terms.reward} base units of ${token.name} into the escrow for exactly these terms.`,
          goesInto: "authorizationSignature",
        },
        fundingAuthorizationTypedData({
          ...{ terms, agreementId, escrow: desk.escrow, validAfter, validBefore },
          token: { ...token, chainId: desk.chainId },
        }),
      );
      return {
        agreementId,
        steps: [step, ...(request.sellerSignature === undefined ? [acceptanceStep(desk, matter)] : [])],
        notes: [again("authorizationSignature"), ...notesOf(request.sellerSignature)],
      };
    }
    const data = escrowAbi.encodeFunctionData("fundWithAuthorization", [
      toTermsStruct(terms),
      validAfter,
      validBefore,
      request.authorizationSignature,
      request.sellerSignature ?? "0x",
    ]) as Hex;
    const step = sendStep({
      from: request.from ?? null,
      to: desk.escrow,
      data,
      function: "fundWithAuthorization(Terms,uint256,uint256,bytes,bytes)",
      description: `Locks the buyer's ${terms.reward} base units for the seller ${terms.seller}; whoever sends it pays the gas.`,
    });
    return { agreementId, steps: [step], notes: notesOf(request.sellerSignature) };
  },
});

/** What to do with a signature. */
export function again(member: string): string {
  return `Sign, then ask again with the signature as ${member}; the answer is then a transaction.`;
}
