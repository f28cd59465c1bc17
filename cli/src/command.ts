import type { Command } from "commander";
import type { ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/** Told the exit code by a command that ran to its end. */
export type Finish = (code: ExitCode) => void;

/** Makes one command. */
export type CommandFactory = (io: Io, finish: Finish) => Command;

/** The argument by which every command names an agreement. */
export const AGREEMENT_ARGUMENT = "<agreement>";
/** What may stand there. */
export const AGREEMENT_DESCRIPTION = "the agreement's file, or its 32-byte id once it is funded";
