/** The command line as a function, for tests and for whoever embeds it. */
export { EXIT, type ExitCode } from "./exit-codes.ts";
export { processIo, type Io, type Terminal } from "./io.ts";
export { readProfile } from "./network/profile.ts";
export { run } from "./program.ts";
export { openSources } from "./sources/open-sources.ts";
