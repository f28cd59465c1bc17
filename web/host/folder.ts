import { join } from "node:path";

/** Where the built page lies. */
export const PAGE_FOLDER = join(import.meta.dirname, "../build");
