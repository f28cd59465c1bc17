export { bareEnvironment, startChild, type Child, type ChildParameters } from "./child.ts";
export { findPackage, requirePackage, requireProgram } from "./packages.ts";
export { claimPort, freePort } from "./ports.ts";
export { createTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";
