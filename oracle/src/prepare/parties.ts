import { Interface } from "ethers";
import { z } from "@hono/zod-openapi";
import {
  agreementEscrowAbi,
  settlementTypedData,
  submissionTypedData,
  toTermsStruct,
  ZERO_HASH,
  type Address,
  type Hex,
} from "@assay/protocol";
import { addressIn, hashIn, signatureIn, uintIn } from "../answers/schemas/values.ts";
import type { Desk } from "./desk.ts";
import { PrepareError } from "./errors.ts";
import { acceptanceStep, again } from "./fund.ts";
import { operation } from "./operation.ts";
import { sendStep, signStep, type Plan, type SendStep } from "./step.ts";
import { matterOf, oneSubject, subjectIn, type Matter } from "./subject.ts";

const escrowAbi = new Interface(agreementEscrowAbi);

const sender = addressIn
  .optional()
  .openapi({ type: "string", description: "Who will send it, for the simulation; anyone may." });
const submissionHash = hashIn
  .refine((hash) => hash !== ZERO_HASH, "must not be zero")
  .openapi({
    type: "string",
    description: "SHA-256 of the submission's canonical bytes. Hand the document in first.",
  });
const bareRequest = z.strictObject(subjectIn).superRefine(oneSubject);

/** A call of the escrow with the terms first. */
function call(
  desk: Desk,
  { terms }: Matter,
  from: Address | null,
  step: Pick<SendStep, "function" | "description">,
  args: readonly unknown[] = [],
): SendStep {
  const data = escrowAbi.encodeFunctionData(step.function, [toTermsStruct(terms), ...args]) as Hex;
  const { name, inputs } = escrowAbi.getFunction(step.function) ?? { name: step.function, inputs: [] };
  const types = inputs.map(({ type, baseType }) => (baseType === "tuple" ? "Terms" : type));
  return sendStep({ ...step, function: `${name}(${types.join()})`, from, to: desk.escrow, data });
}

const planOf = ({ agreementId }: Matter, ...steps: Plan["steps"]): Plan => ({
  agreementId,
  steps,
  notes: [],
});

export const accept = operation({
  name: "accept",
  title: "Accept",
  summary: "The seller consents to the terms. From then on the buyer can't cancel.",
  request: bareRequest,
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    const description = "Consents to the terms; the buyer can't cancel any more.";
    return planOf(matter, call(desk, matter, matter.terms.seller, { function: "accept", description }));
  },
});

export const acceptWithSignature = operation({
  name: "acceptWithSignature",
  title: "Accept by signature",
  summary: "The seller signs its consent, and anyone sends it.",
  request: z
    .strictObject({ ...subjectIn, sellerSignature: signatureIn.optional(), from: sender })
    .superRefine(oneSubject),
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    if (request.sellerSignature === undefined)
      return { ...planOf(matter, acceptanceStep(desk, matter)), notes: [again("sellerSignature")] };
    const description = "Hands in the seller's consent; whoever sends it pays the gas.";
    return planOf(
      matter,
      call(desk, matter, request.from ?? null, { function: "acceptWithSignature", description }, [
        request.sellerSignature,
      ]),
    );
  },
});

export const submit = operation({
  name: "submit",
  title: "Submit",
  summary: "The seller commits to its delivery by hash, once, until deliverBy. Submitting is accepting.",
  request: z.strictObject({ ...subjectIn, submissionHash }).superRefine(oneSubject),
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    const description = `Commits to the submission ${request.submissionHash}; it can't be replaced.`;
    return {
      ...planOf(
        matter,
        call(desk, matter, matter.terms.seller, { function: "submit", description }, [
          request.submissionHash,
        ]),
      ),
      notes: [DOCUMENT_NOTE],
    };
  },
});

const DOCUMENT_NOTE =
  "PUT the document at /v1/documents/{sha256} of an operator before: a document that stays away is judged WITHHELD.";

export const submitWithSignature = operation({
  name: "submitWithSignature",
  title: "Submit by signature",
  summary: "The seller signs its delivery's hash, and anyone sends it.",
  request: z
    .strictObject({ ...subjectIn, submissionHash, sellerSignature: signatureIn.optional(), from: sender })
    .superRefine(oneSubject),
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    if (request.sellerSignature === undefined) {
      const step = signStep(
        {
          signer: matter.terms.seller,
          description: `Commits to the submission ${request.submissionHash}; it can't be replaced.`,
          goesInto: "sellerSignature",
        },
        submissionTypedData(matter.agreementId, request.submissionHash, desk.chainId, desk.escrow),
      );
      return { ...planOf(matter, step), notes: [again("sellerSignature"), DOCUMENT_NOTE] };
    }
    const description = "Hands in the seller's commitment to its submission; whoever sends it pays the gas.";
    return planOf(
      matter,
      call(desk, matter, request.from ?? null, { function: "submitWithSignature", description }, [
        request.submissionHash,
        request.sellerSignature,
      ]),
    );
  },
});

export const cancel = operation({
  name: "cancel",
  title: "Cancel",
  summary: "The buyer takes the reward back, as long as the seller has not consented.",
  request: bareRequest,
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    const description = "Takes the whole reward back.";
    return planOf(matter, call(desk, matter, matter.terms.buyer, { function: "cancel", description }));
  },
});

export const concede = operation({
  name: "concede",
  title: "Concede",
  summary: "One side gives the whole reward to the other, at any time before the end.",
  request: z
    .strictObject({
      ...subjectIn,
      from: addressIn.openapi({ type: "string", description: "The side that gives in." }),
    })
    .superRefine(oneSubject),
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    const { buyer, seller, reward } = matter.terms;
    if (request.from !== buyer && request.from !== seller)
      throw new PrepareError(
        "signer_conflict",
        `${request.from} is neither the buyer ${buyer} nor the seller ${seller}.`,
        "Give one of the two as from.",
      );
    const description = `Gives the whole reward of ${reward} base units to ${request.from === buyer ? seller : buyer}.`;
    return planOf(matter, call(desk, matter, request.from, { function: "concede", description }));
  },
});

export const settle = operation({
  name: "settle",
  title: "Settle by agreement",
  summary: "Both sides sign a split, and anyone sends it.",
  request: z
    .strictObject({
      ...subjectIn,
      sellerAmount: uintIn.openapi({
        type: "string",
        description: "Base units for the seller; the buyer gets the rest.",
      }),
      buyerSignature: signatureIn.optional(),
      sellerSignature: signatureIn.optional(),
      from: sender,
    })
    .superRefine(oneSubject),
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    const { sellerAmount, buyerSignature, sellerSignature } = request;
    const { buyer, seller, reward } = matter.terms;
    const share = `${sellerAmount} of ${reward} base units to the seller, the rest to the buyer`;
    const typedData = settlementTypedData(matter.agreementId, sellerAmount, desk.chainId, desk.escrow);
    const missing = [
      ...(buyerSignature === undefined ? [{ signer: buyer, goesInto: "buyerSignature" }] : []),
      ...(sellerSignature === undefined ? [{ signer: seller, goesInto: "sellerSignature" }] : []),
    ];
    if (missing.length > 0)
      return {
        ...planOf(
          matter,
          ...missing.map((one) =>
            signStep({ ...one, description: `Agrees to end it with ${share}.` }, typedData),
          ),
        ),
        notes: missing.map(({ goesInto }) => again(goesInto)),
      };
    const step = { function: "settle", description: `Ends the agreement: ${share}.` };
    return planOf(
      matter,
      call(desk, matter, request.from ?? null, step, [sellerAmount, buyerSignature, sellerSignature]),
    );
  },
});

export const expire = operation({
  name: "expire",
  title: "Expire",
  summary: "Anyone ends an agreement whose deadline has passed, by the default that the terms name.",
  request: z.strictObject({ ...subjectIn, from: sender }).superRefine(oneSubject),
  async plan(desk, request) {
    const matter = await matterOf(desk, request);
    const description = `Refunds the buyer when nothing was delivered; without a verdict it pays the seller ${matter.terms.noVerdictSellerBps} basis points.`;
    return planOf(matter, call(desk, matter, request.from ?? null, { function: "expire", description }));
  },
});

export const withdraw = operation({
  name: "withdraw",
  title: "Withdraw credits",
  summary: "An account collects payouts that the token had refused to make.",
  request: z.strictObject({ from: addressIn, to: addressIn }),
  plan(desk, { from, to }) {
    const step = sendStep({
      from,
      to: desk.escrow,
      data: escrowAbi.encodeFunctionData("withdraw", [to]) as Hex,
      function: "withdraw(address)",
      description: `Sends everything that the escrow owes ${from} to ${to}.`,
    });
    return Promise.resolve({ agreementId: null, steps: [step], notes: [] });
  },
});
