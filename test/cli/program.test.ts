import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { EXIT } from "@assay/cli";
import { createProgram } from "../../cli/src/program.ts";
import { assay } from "./support/run.ts";

type Command = ReturnType<typeof createProgram>;

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/cli.md"), "utf8");

const program = createProgram({ env: {}, out: () => undefined, diagnose: () => undefined }, () => undefined);

/** Every command that does something, by its words. */
function leaves(command: Command, words: readonly string[] = []): [words: string, command: Command][] {
  return command.commands.flatMap((inner) => {
    const path = [...words, inner.name()];
    return inner.commands.length > 0 ? leaves(inner, path) : [[path.join(" "), inner]];
  });
}

describe("the program", () => {
  for (const [words, command] of leaves(program)) {
    it(`${words}: --help tells what it does, with examples, and docs/cli.md knows it`, async () => {
      const { code, out } = await assay([...words.split(" "), "--help"]);
      expect(code).to.equal(0);
      expect(out).to.include(`Usage: assay ${words}`);
      if (!["wallet list", "bundle", "audit"].includes(words)) expect(out).to.include("Examples:");
      const [group = "", name = ""] = words.split(" ");
      const isGrouped = ["wallet", "operator", "completion"].includes(group);
      expect(PAGE).to.include(isGrouped ? `\`${group}` : `\`${words}`);
      if (isGrouped && name !== "") expect(PAGE).to.include(name);
      for (const { long, description } of command.options) {
        expect(description, `${words} ${long ?? ""}`).not.to.equal("");
        expect(PAGE, `${words} ${long ?? ""} is not in docs/cli.md`).to.include(long ?? "");
      }
    });
  }

  it("documents every exit code", () => {
    for (const code of Object.values(EXIT)) expect(PAGE).to.match(new RegExp(`^\\| ${code} \\|`, "m"));
  });

  it("refuses what it does not know with a hint, as a usage error", async () => {
    for (const args of [["agreement"], ["nonsense"], ["status"], ["hire", "0x12"], ["completion", "tcsh"]]) {
      const { code, out, err } = await assay(args);
      expect(code, args.join(" ")).to.equal(EXIT.usage);
      expect(out).to.equal("");
      expect(err).not.to.equal("");
    }
  });

  it("says that no network was named, or that localnet is not running", async () => {
    const none = await assay(["status", `0x${"1".repeat(64)}`]);
    expect([none.code, none.err.split("\n")[0]]).to.deep.equal([2, "assay: no network was given"]);
    const unknown = await assay(["doctor", "--network", "no-such-net", "--json"], {
      ASSAY_HOME: "/nonexistent",
    });
    expect(unknown.code).to.equal(1);
    const { findings } = JSON.parse(unknown.out) as { findings: { id: string; result: string }[] };
    expect(findings.at(-1)).to.include({ id: "network", result: "fail" });
  });

  it("tells an error as JSON too when that was asked for", async () => {
    const { code, out } = await assay(["status", `0x${"1".repeat(64)}`, "--json"]);
    expect(code).to.equal(2);
    expect(JSON.parse(out)).to.deep.include({
      error: {
        name: "UsageError",
        message: "no network was given",
        hint: "Name one with --network (on one machine: localnet, which `npm start` writes), or give --rpc-url and --escrow.",
        exitCode: 2,
      },
    });
  });
});

describe("assay completion", () => {
  /** What bash offers for a line. */
  async function offered(...words: string[]): Promise<string[]> {
    const { out } = await assay(["completion", "bash"]);
    const line = ["assay", ...words].map((word) => `'${word}'`).join(" ");
    const script = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  }

  it("bash completes commands, groups and options", async () => {
    expect(await offered("agr")).to.deep.equal(["agreement"]);
    expect(await offered("agreement", "")).to.include.members(["new", "check", "fund", "accept", "cancel"]);
    expect(await offered("agreement", "fund", "deal.json", "--w")).to.deep.equal(["--wallet", "--wait"]);
    expect(await offered("status", "--wa")).to.deep.equal(["--watch"]);
    expect(await offered("settle", "s")).to.deep.equal(["sign", "send"]);
  });

  /** How the other shells are asked what they offer for a line. zsh's two menus print instead of drawing. */
  const OTHER_SHELLS: Readonly<Record<string, (script: string, words: readonly string[]) => string[]>> = {
    zsh: (script, words) => [
      "-fc",
      `compdef() { : }; _files() { : }
       _describe() { local -a found; found=("\${(P@)2}"); print -rl -- "\${(@)found%%:*}" }
       ${script}
       words=(assay ${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length + 1}; _assay`,
    ],
    fish: (script, words) => ["--no-config", "-c", `${script}\ncomplete -C 'assay ${words.join(" ")}'`],
  };
  // The shells that are on this machine; CI installs both.
  for (const [shell, argumentsOf] of Object.entries(OTHER_SHELLS).filter(
    ([name]) => spawnSync(name, ["-c", "exit 0"]).status === 0,
  ))
    it(`${shell} completes commands, groups and options`, async () => {
      const { out } = await assay(["completion", shell]);
      const offers = (...words: string[]) =>
        execFileSync(shell, argumentsOf(out, words), { encoding: "utf8" })
          .split("\n")
          .map((line) => line.split("\t")[0] ?? "")
          // zsh filters what it is given by what was typed, where it draws it.
          .filter((word) => word !== "" && word.startsWith(words.at(-1) ?? ""));
      expect(offers("agr")).to.deep.equal(["agreement"]);
      expect(offers("agreement", "")).to.include.members(["new", "check", "fund", "accept", "cancel"]);
      expect(offers("agreement", "fund", "deal.json", "--w")).to.have.members(["--wallet", "--wait"]);
      expect(offers("settle", "s")).to.have.members(["sign", "send"]);
    });

  it("every shell's script names every command and option once where it belongs", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, out } = await assay(["completion", shell]);
      expect(code).to.equal(0);
      for (const [words, command] of leaves(program)) {
        expect(out, `${shell}: ${words}`).to.include(words);
        for (const { long } of command.options) expect(out, shell).to.include((long ?? "").slice(2));
      }
    }
  });
});
