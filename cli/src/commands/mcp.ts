import { Command, InvalidArgumentError, Option } from "commander";
import { gather, operatorSource, originOf } from "@assay/evidence";
import type { Auditor } from "@assay/oracle";
import { audit } from "@assay/protocol";
import type { CommandFactory } from "../command.ts";
import { UsageError, isWorded } from "../errors.ts";
import { addNetwork, networkOf, type Network, type NetworkOptions } from "../options/network.ts";
import { repeatedValue } from "../options/values.ts";

interface McpOptions extends NetworkOptions {
  readonly http?: { readonly host: string; readonly port: number };
  readonly allowHost?: string[];
}

/** `assay mcp`: the Model Context Protocol for agents, with an audit that believes no operator. */
export const mcpCommand: CommandFactory = (io) =>
  addNetwork(
    new Command("mcp")
      .summary("serve the Model Context Protocol to an agent")
      .description(
        "Serves MCP on standard input and output, or over HTTP: reputation, agreements, verdicts, unsigned preparations,\n" +
          "and an audit from public data. It holds no key, and signs and sends nothing.",
      )
      .addOption(
        new Option(
          "--http <[host:]port>",
          "serve Streamable HTTP at /mcp; on loopback unless told otherwise",
        ).argParser(placeValue),
      )
      .addOption(
        new Option(
          "--allow-host <name>",
          "a host name that clients may use besides localhost; repeatable",
        ).argParser(repeatedValue),
      ),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  assay mcp --network localnet\n  assay mcp --network localnet --http 8080",
    )
    .action(async (options: McpOptions) => {
      const network = networkOf(options);
      if (network.operators.length === 0)
        throw new UsageError("no operator is known", "Name one with --operator or in the network's profile.");
      // Loaded when needed: the whole service comes with it.
      const oracle = await import("@assay/oracle");
      const services = {
        answers: oracle.createRemoteAnswers(network.operators),
        auditor: auditorOf(network, oracle),
      };
      if (options.http === undefined) {
        const server = oracle.serveMcpStdio(services, ({ message }) => io.diagnose(message));
        endWith(() => server.close());
        return;
      }
      const server = await oracle.serveMcpHttp(services, {
        ...options.http,
        hostnames: options.allowHost ?? [],
      });
      io.out(`${JSON.stringify({ event: "listening", url: `${server.url}/mcp` })}\n`);
      endWith(() => server.close());
    });

/** Recomputes verdicts as `assay audit` does. */
function auditorOf(network: Network, { AnswerError }: typeof import("@assay/oracle")): Auditor {
  const { rpcUrl, chainId, escrow, fromBlock, operators, genLayerRpcUrl } = network;
  const sources = operators.map(operatorSource);
  return {
    async audit(agreementId) {
      try {
        const evidence = await gather(agreementId, {
          ...{ rpcUrl, chainId, escrow, fromBlock, sources },
          genlayerRpcUrl: genLayerRpcUrl,
        });
        const places = [rpcUrl, ...(genLayerRpcUrl === null ? [] : [genLayerRpcUrl]), ...operators];
        return {
          report: audit(evidence),
          source: {
            places: places.map(originOf),
            chainId: evidence.evm.chainId,
            finalBlock: evidence.evm.finalizedBlock,
          },
        };
      } catch (error) {
        if (!isWorded(error)) throw error;
        throw new AnswerError("chain_unavailable", error.message, error.hint, [], { cause: error });
      }
    },
  };
}

function endWith(close: () => Promise<void>): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void close().finally(() => process.exit(0)));
}

function placeValue(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) throw new InvalidArgumentError("Write [host:]port.");
  return { host: host ?? "127.0.0.1", port: Number(port) };
}
