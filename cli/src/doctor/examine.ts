import { openSession, type Session } from "../session.ts";
import type { Io } from "../io.ts";
import { networkOf, type NetworkOptions } from "../options/network.ts";
import { walletOf, type WalletOptions } from "../options/wallet.ts";
import { examineEvm } from "./evm.ts";
import { attempt, fail, ok, warn, type DoctorFinding } from "./finding.ts";
import { examineIndex } from "./index-health.ts";
import { examineJudge } from "./judge.ts";
import { examineOperators } from "./operators.ts";
import { examineWallet } from "./wallet.ts";

/** What doctor is told. */
export interface DoctorOptions extends NetworkOptions, WalletOptions {}

/** What `package.json` asks for. */
const NODE_MAJOR = 24;

/** Looks at everything, in the order in which things depend on each other. Nothing is changed, no password asked for. */
export async function examine(options: DoctorOptions, io: Io): Promise<DoctorFinding[]> {
  const findings = [nodeFinding()];
  let session: Session | null = null;
  findings.push(
    ...(await attempt("network", () => {
      const { name, rpcUrl } = networkOf(options);
      const told = name === null ? "no profile; places are given one by one" : `profile ${name}`;
      return Promise.resolve([ok("network", `${told}, EVM node ${new URL(rpcUrl).origin}`)]);
    })),
  );
  if (findings.some(({ result }) => result === "fail")) return findings;
  findings.push(
    ...(await attempt("evm", async () => {
      session = await openSession(options, io);
      return examineEvm(session);
    })),
  );
  const opened = session as Session | null;
  if (opened === null) return findings;
  const { network } = opened;
  const parts = await Promise.all([
    attempt("judge", () => examineJudge(network)),
    attempt("operators", () => examineOperators(network)),
    attempt("index", () => examineIndex(opened)),
    attempt("wallet", async () => {
      const wallet = await walletOf(options, io, network);
      if (wallet === null)
        return [warn("wallet", "no wallet was named", "Name one with --wallet to have its money looked at.")];
      return examineWallet(opened, wallet);
    }),
  ]);
  return [...findings, ...parts.flat()];
}

function nodeFinding(): DoctorFinding {
  const major = Number(process.versions.node.split(".")[0]);
  return major >= NODE_MAJOR
    ? ok("node", `Node ${process.versions.node}`)
    : fail(
        "node",
        `Node ${process.versions.node} is too old`,
        `Use Node ${NODE_MAJOR} or newer, for example by \`npx -y -p node@${NODE_MAJOR} node cli/src/bin/assay.ts\`.`,
      );
}
