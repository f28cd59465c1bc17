#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Compiling the program's modules is most of what a short command does; the next one finds them compiled.
enableCompileCache();
const [{ processIo }, { run }] = await Promise.all([import("../io.ts"), import("../program.ts")]);

// The exit code is set rather than forced, so that everything written still leaves.
process.exitCode = await run(process.argv.slice(2), processIo());
