import type { Io } from "../io.ts";
import { toJson } from "./json.ts";

/** Writes a result: as JSON when asked to, else as lines for people. */
export function show(io: Io, json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  io.out(json === true ? toJson(value) : `${lines.join("\n")}\n`);
}
