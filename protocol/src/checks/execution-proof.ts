import { z } from "zod";

/** Passes when the submission's hash chain replays from the agreement's committed root and its recorder signed for it. */
export const executionProofSchema = z.strictObject({
  type: z.literal("execution_proof"),
});
