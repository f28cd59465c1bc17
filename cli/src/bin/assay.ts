#!/usr/bin/env node
import { processIo } from "../io.ts";
import { run } from "../program.ts";

// The exit code is set rather than forced, so that everything written still leaves.
process.exitCode = await run(process.argv.slice(2), processIo());
