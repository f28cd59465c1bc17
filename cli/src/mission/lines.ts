import { printable, type AuditStep, type ExecutionReport } from "@assay/protocol";
import { formatStep } from "../output/report.ts";
import { table } from "../output/table.ts";
import type { MissionView } from "./mission-view.ts";

/** A mission for people: how far it is, and every step. */
export function missionLines(view: MissionView): string[] {
  const { agreement, steps, attestations } = view;
  return [
    `Mission ${printable(view.mission_id)}: ${view.status.replace("_", " ")}, ${attestations.length} of ${steps.length} steps recorded`,
    ...table(
      [
        ["agent", printable(view.agent_id)],
        ["recorder", view.recorder],
        ["root", view.committed_root],
        ["chain", view.current_chain_hash],
        ["agreement", agreement === null ? "none" : agreement.agreement_id],
        ["signature", view.signature === null ? "none yet" : printable(view.signature)],
      ],
      2,
    ),
    ...table(
      steps.map(({ index, method, path_template: path, auth }) => [
        `${index}`,
        index < attestations.length ? "recorded" : index === view.next_request?.index ? "next" : "",
        `${printable(method)} ${printable(path)}${auth ? " (with credentials)" : ""}`,
      ]),
      2,
    ),
  ];
}

/** A verification for people: every call and every step with the two values that were compared. */
export function reportLines(report: ExecutionReport, place: string): string[] {
  const { calls, steps, passed, failed, notChecked } = report;
  const asStep = (call: ExecutionReport["calls"][number]): AuditStep => ({
    ...call.finding,
    id: `step ${call.index}`,
    title: `${printable(call.method)} ${printable(call.pathTemplate)}`,
    basis: "computed",
  });
  return [
    `The walk, from ${printable(place)}`,
    "",
    ...calls.flatMap((call) => formatStep(asStep(call))),
    "",
    ...steps.flatMap(formatStep),
    "",
    `${passed} passed, ${failed} failed, ${notChecked} not checked`,
    "It proves order and bytes of these calls on the recorder's word, and not that an answer was right.",
  ];
}
