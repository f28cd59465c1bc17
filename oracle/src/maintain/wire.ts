import { z } from "zod";

/** Name of the file in a running operator's folder that tells how to reach it. */
export const ADMIN_FILE = "admin.json";

/** What that file holds. */
export const doorSchema = z.object({ port: z.int().min(1).max(65_535), token: z.string().length(64) });

/** A command as it is sent to a running operator. */
export const commandSchema = z.discriminatedUnion("name", [
  z.object({ name: z.literal("status") }),
  z.object({ name: z.literal("requeue"), agreementId: z.string() }),
  z.object({ name: z.literal("halt"), reason: z.string() }),
  z.object({ name: z.literal("resume"), acknowledged: z.boolean() }),
  z.object({ name: z.literal("rebuild"), fromBlock: z.number() }),
  z.object({ name: z.literal("backup"), file: z.string() }),
]);

/** What a running operator answers. */
export const answerSchema = z.union([
  z.object({
    outcome: z.object({
      command: z.enum(["status", "requeue", "halt", "resume", "rebuild", "backup"]),
      text: z.string(),
      facts: z.record(z.string(), z.unknown()),
    }),
  }),
  z.object({
    error: z.object({
      code: z
        .enum([
          "bad_argument",
          "nothing_parked",
          "not_acknowledged",
          "operator_running",
          "bad_range",
          "unreachable",
        ])
        .optional(),
      message: z.string(),
      hint: z.string().optional(),
    }),
  }),
]);
