import type { CalldataInput } from "../../../localnet/src/genlayer/calldata.ts";
import { run, textOf, valueOf } from "./executor.ts";
import { VERIFIER } from "./verifier.ts";

/** A contract's own source with its class replaced by one that calls the pure helpers by name. */
const probe = (source: string): string => `${source.slice(0, source.search(/^class \w+\(gl\.Contract\):/m))}
class Probe(gl.Contract):
    @gl.public.view
    def call(self, name: str, calls: list) -> list:
        helper = globals()[name]
        return [helper(*arguments) for arguments in calls]

    @gl.public.view
    def attempt(self, name: str, calls: list) -> list:
        errors = []
        for arguments in calls:
            try:
                globals()[name](*arguments)
                errors.append("")
            except gl.vm.UserError as error:
                errors.append(error.message)
        return errors
`;

/** Calls a contract's helper once for each list of arguments. */
export async function helperOf(
  source: string,
  name: string,
  ...calls: CalldataInput[][]
): Promise<unknown[]> {
  return valueOf(await run(probe(source), "read", { method: "call", args: [name, calls] })) as unknown[];
}

/** The text of the error that a contract's helper raises for each list of arguments; empty when it raises none. */
export async function refusalsOf(
  source: string,
  name: string,
  ...calls: CalldataInput[][]
): Promise<string[]> {
  return valueOf(await run(probe(source), "read", { method: "attempt", args: [name, calls] })) as string[];
}

/** Calls a helper of the verifier once for each list of arguments. */
export function helper(name: string, ...calls: CalldataInput[][]): Promise<unknown[]> {
  return helperOf(VERIFIER, name, ...calls);
}

/** The text of the error that a helper of the verifier raises for each list of arguments; empty for none. */
export function refusals(name: string, ...calls: CalldataInput[][]): Promise<string[]> {
  return refusalsOf(VERIFIER, name, ...calls);
}

/** The text of the error that a helper of the verifier raises. */
export async function helperError(name: string, ...args: CalldataInput[]): Promise<string> {
  return textOf(await run(probe(VERIFIER), "read", { method: "call", args: [name, [args]] }));
}
