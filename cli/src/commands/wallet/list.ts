import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { printable } from "@assay/protocol";
import type { CommandFactory } from "../../command.ts";
import { isWorded } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { assayHome } from "../../network/home.ts";
import { addJson } from "../../options/write.ts";
import { toJson } from "../../output/json.ts";
import { table } from "../../output/table.ts";
import { readKeystore } from "../../wallet/keystore.ts";

/** `assay wallet list`: the wallets that there are. */
export const walletListCommand: CommandFactory = (io, finish) =>
  addJson(
    new Command("list").summary("list the wallets").description("Lists the wallets in Assay's own folder."),
  ).action(async (options: { readonly json?: boolean }) => {
    const folder = join(assayHome(io.env), "wallets");
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).sort();
    const wallets: { name: string; address: string; path: string }[] = [];
    for (const file of names) {
      try {
        const { address, path } = await readKeystore(join(folder, file));
        wallets.push({ name: file.replace(/\.json$/, ""), address, path });
      } catch (error) {
        if (!isWorded(error)) throw error;
        io.diagnose(printable(error.message));
      }
    }
    if (options.json === true) io.out(toJson({ wallets }));
    else
      for (const line of table(wallets.map(({ name, address }) => [printable(name), address])))
        io.out(`${line}\n`);
    if (wallets.length === 0)
      io.diagnose(`There are no wallets in ${folder}; make one with \`assay wallet new <name>\`.`);
    finish(EXIT.ok);
  });
