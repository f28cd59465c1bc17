import { z } from "zod";
import { type Fault, hashField, integer, matching, reportFault, textField } from "../documents/fields.ts";
import { templateFault } from "./path-template.ts";

/** Most steps that an agreement may commit to. */
export const MAX_STEPS = 256;

const METHOD = /^[A-Z]{1,16}$/;
const METHOD_RULE = "an HTTP method of 1 to 16 capital letters";

const stepSchema = z.strictObject({
  /** Place in the sequence, from 0. */
  index: integer(0, MAX_STEPS - 1),
  method: matching(METHOD, METHOD_RULE),
  pathTemplate: textField(templateFault),
  /** Whether the call carries credentials. */
  auth: z.boolean(),
});

/** One committed call: its method, the paths that it may go to, and whether it carries credentials. */
export type Step = z.infer<typeof stepSchema>;

/** What keeps `step` from being the one at `position`; nothing when it is. */
export function stepFault(step: Step, position: number): Fault | undefined {
  if (step.index !== position) return misplaced(step.index, position);
  if (!METHOD.test(step.method)) {
    return { message: `is not ${METHOD_RULE}`, hint: `Write ${METHOD_RULE}.` };
  }
  return templateFault(step.pathTemplate);
}

function misplaced(index: number, position: number): Fault {
  return {
    message: `is ${index} at position ${position}`,
    hint: "Number the steps from 0 in their order.",
  };
}

/** The committed steps, in order. */
export const stepsField = z
  .array(stepSchema)
  .min(1)
  .max(MAX_STEPS)
  .superRefine((steps, context) => {
    for (const [position, { index }] of steps.entries()) {
      if (index !== position) {
        reportFault(context, [position, "index"], misplaced(index, position));
      }
    }
  });

/** What binds the bytes of one call. */
export const stepRecordSchema = z.strictObject({
  index: integer(0, MAX_STEPS - 1),
  requestHash: hashField,
  responseHash: hashField,
});

/** What binds the bytes of one call: `requestHash` and `responseHash` of the same names' functions. */
export type StepRecord = z.infer<typeof stepRecordSchema>;
