import { Command } from "commander";
import { printable } from "@assay/protocol";
import type { CommandFactory } from "../command.ts";
import { examine, type DoctorOptions } from "../doctor/examine.ts";
import { EXIT } from "../exit-codes.ts";
import { addNetwork } from "../options/network.ts";
import { addWallet } from "../options/wallet.ts";
import { addJson } from "../options/write.ts";
import { show } from "../output/show.ts";
import { table } from "../output/table.ts";

interface Options extends DoctorOptions {
  readonly json?: boolean;
}

/** `assay doctor`: finds out what keeps this machine from making a deal. */
export const doctorCommand: CommandFactory = (io, finish) =>
  addJson(
    addWallet(
      addNetwork(
        new Command("doctor")
          .summary("find out what is missing to make a deal, and how to fix it")
          .description(
            "Looks at everything that a deal depends on: Node, the EVM node and its chain, the escrow and its token, the\n" +
              "judge's network and code, the operators, the index, the wallet's money. Changes nothing.",
          ),
      ),
    ),
  )
    .addHelpText(
      "after",
      "\nExit code 1: something is broken; warnings alone are 0.\n\nExamples:\n  assay doctor --network localnet --wallet buyer",
    )
    .action(async (options: Options) => {
      const findings = await examine(options, io);
      show(
        io,
        options.json,
        { findings },
        findings.flatMap(({ id, result, message, fix }) => [
          ...table([[result.toUpperCase().padEnd(4), id.padEnd(10), printable(message)]]),
          ...(fix === null ? [] : [`${" ".repeat(18)}fix: ${printable(fix)}`]),
        ]),
      );
      finish(findings.some(({ result }) => result === "fail") ? EXIT.failed : EXIT.ok);
    });
