import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LocalnetError } from "../errors.ts";

const here = createRequire(import.meta.url);

/**
 * Finds an installed npm package, whatever its `exports` let through.
 *
 * @param name - The package, such as `@foundry-rs/anvil`.
 * @param from - A package folder that depends on it; this package's own when left out.
 * @returns The package's folder, or undefined when it is not installed.
 */
export function findPackage(name: string, from?: string): string | undefined {
  const resolver = from === undefined ? here : createRequire(join(from, "package.json"));
  for (const folder of resolver.resolve.paths(name) ?? []) {
    const candidate = join(folder, name);
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}

/**
 * The path of a program inside an npm package that is built for one platform.
 *
 * npm leaves such packages out without a word where the platform does not match, so this is where it is noticed.
 *
 * @throws {@link LocalnetError} `BINARY_MISSING`.
 */
export function requireProgram(title: string, packageName: string, program: string, from?: string): string {
  const folder = findPackage(packageName, from);
  const path = folder === undefined ? undefined : join(folder, program);
  if (path !== undefined && existsSync(path)) return path;
  throw new LocalnetError(
    "BINARY_MISSING",
    `${title} is not installed: npm package ${packageName} has no build for ${process.platform} ${process.arch} here.`,
    "Run `npm ci` without --omit=optional, on a platform that the package supports.",
  );
}

/** The folder that holds `name`'s `node_modules`, for tools that look their libraries up from the working folder. */
export function requirePackage(title: string, name: string, from?: string): string {
  const folder = findPackage(name, from);
  if (folder !== undefined) return folder;
  throw new LocalnetError(
    "BINARY_MISSING",
    `${title} is not installed: npm package ${name} was not found from ${from === undefined ? "localnet" : dirname(from)}.`,
    "Run `npm ci` in the repository's root.",
  );
}
