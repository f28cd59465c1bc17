import { z } from "@hono/zod-openapi";
import { addressOut, bytesOut, caip10Out, caip2Out, hashOut, sourceOut } from "./values.ts";

/** What sending a transaction now would lead to. */
export const simulationOut = z
  .object({
    result: z.enum(["succeeds", "reverts", "unknown"]).openapi({
      description:
        "unknown: it depends on the step before, or the chain could not be asked; `message` says which.",
    }),
    error: z.string().nullable().openapi({ description: "Name of the custom error, when it would revert." }),
    message: z.string(),
    hint: z.string().nullable(),
  })
  .openapi("Simulation");

const signStepOut = z
  .object({
    kind: z.literal("sign"),
    signer: addressOut,
    signerCaip10: caip10Out,
    description: z.string(),
    goesInto: z.string(),
    typedData: z
      .record(z.string(), z.unknown())
      .openapi({ description: "As eth_signTypedData_v4 takes it." }),
    digest: hashOut,
  })
  .openapi("SignStep");

const sendStepOut = z
  .object({
    kind: z.literal("send"),
    from: addressOut.nullable().openapi({ description: "Who has to send it; null: anyone." }),
    to: addressOut,
    toCaip10: caip10Out,
    data: bytesOut,
    value: z.literal("0"),
    chainId: z.int(),
    caip2: caip2Out,
    function: z.string(),
    description: z.string(),
    simulation: simulationOut,
  })
  .openapi("SendStep");

export const preparationOut = z
  .object({
    source: sourceOut,
    operation: z.string(),
    agreementId: hashOut.nullable(),
    steps: z.array(z.discriminatedUnion("kind", [signStepOut, sendStepOut])),
    notes: z.array(z.string()),
  })
  .openapi("Preparation", {
    description: "Unsigned. The operator holds no user's key; sign and send it yourself.",
  });

export type Simulation = z.infer<typeof simulationOut>;
export type Preparation = z.infer<typeof preparationOut>;
