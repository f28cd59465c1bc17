import { z } from "@hono/zod-openapi";
import type { AuditReport, Hex } from "@assay/protocol";
import { hashIn, hashOut } from "../answers/index.ts";
import { tool, type ToolDefinition } from "./tool.ts";

/** Recomputes a verdict from public facts, and says where those were read. */
export interface Auditor {
  /** @throws AnswerError when the facts can't be gathered. */
  audit(agreementId: Hex): Promise<AuditFindings>;
}

/** What an audit found, and where it looked. */
export interface AuditFindings {
  readonly report: AuditReport;
  readonly source: {
    /** Origins of the nodes and operators that were asked. */
    readonly places: readonly string[];
    readonly chainId: number;
    /** Height that the EVM node called final; null when it does not say. */
    readonly finalBlock: number | null;
  };
}

const auditOut = z.object({
  source: z.object({
    kind: z.literal("public data"),
    places: z.array(z.string()),
    chainId: z.int(),
    finalBlock: z.int().nullable(),
  }),
  agreementId: hashOut,
  ending: z.string().nullable(),
  outcome: z.string().nullable(),
  result: z.enum(["PASS", "FAIL", "INCOMPLETE"]),
  passed: z.int(),
  failed: z.int(),
  notChecked: z.int(),
  steps: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      basis: z.enum(["computed", "reported"]),
      result: z.enum(["PASS", "FAIL", "NOT_CHECKED"]),
      expected: z.string().optional(),
      actual: z.string().optional(),
      note: z.string(),
    }),
  ),
});

/** The tool that believes no operator. */
export function auditTool(auditor: Auditor): ToolDefinition {
  return tool({
    name: "audit_agreement",
    title: "Audit an agreement",
    description:
      "Recomputes everything about an agreement's verdict from public data: documents, record, judge transactions, checks, certificate and settlement. PASS: every step holds. FAIL: some step does not. INCOMPLETE: nothing failed, but some steps could not be checked; each says why.",
    input: z.strictObject({ agreementId: hashIn }),
    output: auditOut,
    asksTheWorld: true,
    answer: async ({ agreementId }) => {
      const { report, source } = await auditor.audit(agreementId);
      return { source: { kind: "public data", ...source }, ...report };
    },
  });
}
