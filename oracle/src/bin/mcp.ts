#!/usr/bin/env node
import { parseArgs } from "node:util";
import { createRemoteAnswers, serveMcpHttp, serveMcpStdio } from "../mcp/index.ts";
import { errorText } from "../observe/index.ts";

const USAGE = `usage: assay-mcp --operator <url> [options]

Serves the Model Context Protocol: reputation, agreements, verdicts and unsigned preparations, from an operator's
HTTP API. It holds no key, and signs and sends nothing.

  --operator <url>    base URL of an operator; repeat it to name others to ask when the first can't be reached
                      (default: ASSAY_OPERATOR_URL, with commas)
  --http [host:]port  serve Streamable HTTP at /mcp instead of standard input and output; loopback unless told otherwise
  --allow-host <name> a host name that clients may use besides localhost; repeatable
  --help              this text

exit codes: 0 ended by the client or a signal, 1 something has to be changed
`;

/** The command was given wrongly. */
class UsageError extends Error {
  override name = "UsageError";
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        operator: { type: "string", multiple: true },
        http: { type: "string" },
        "allow-host": { type: "string", multiple: true },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function operatorsOf(given: readonly string[] | undefined): readonly string[] {
  const urls =
    given ?? (process.env["ASSAY_OPERATOR_URL"] ?? "").split(",").filter((url) => url.trim() !== "");
  for (const url of urls)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      throw new UsageError(`"${url}" is no http or https URL; give an operator's base URL`);
  if (urls.length === 0) throw new UsageError("name an operator: --operator https://operator.example");
  return urls;
}

function placeOf(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`"${text}" is no port; write [host:]port`);
  return { host: host ?? "127.0.0.1", port: Number(port) };
}

async function main(): Promise<void> {
  const options = read(process.argv.slice(2));
  if (options.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  const services = { answers: createRemoteAnswers(operatorsOf(options.operator)), auditor: null };
  const note = (text: string) => process.stderr.write(`assay-mcp: ${text}\n`);
  const server =
    options.http === undefined
      ? serveMcpStdio(services, (error) => note(errorText(error)))
      : await serveMcpHttp(services, {
          ...placeOf(options.http),
          hostnames: options["allow-host"] ?? [],
        });
  if ("url" in server)
    process.stdout.write(`${JSON.stringify({ event: "listening", url: `${String(server.url)}/mcp` })}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      void server.close().finally(() => process.exit(0));
    });
}

main().catch((error: unknown) => {
  const message = errorText(error).replace(/^\w+Error: /, "");
  process.stderr.write(`assay-mcp: ${message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
  process.exitCode = 1;
});
