import type { CalldataInput } from "../../../localnet/src/genlayer/calldata.ts";
import { run, textOf, valueOf } from "./executor.ts";
import { VERIFIER } from "./verifier.ts";

// The verifier's own source with its contract class replaced by one that calls the pure helpers by name.
const PROBE = `${VERIFIER.slice(0, VERIFIER.indexOf("class AgreementVerifier("))}
class Probe(gl.Contract):
    @gl.public.view
    def call(self, name: str, calls: list) -> list:
        helper = globals()[name]
        return [helper(*arguments) for arguments in calls]
`;

/** Calls a helper of the verifier once for each list of arguments. */
export async function helper(name: string, ...calls: CalldataInput[][]): Promise<unknown[]> {
  return valueOf(await run(PROBE, "read", { method: "call", args: [name, calls] })) as unknown[];
}

/** The text of the error that a helper raises. */
export async function helperError(name: string, ...args: CalldataInput[]): Promise<string> {
  return textOf(await run(PROBE, "read", { method: "call", args: [name, [args]] }));
}
