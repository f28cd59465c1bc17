import { build } from "vite";
import config from "./config.ts";

/** Bundles the page into `web/build`. */
export async function buildPage(): Promise<void> {
  await build({ ...config, configFile: false, logLevel: "warn" });
}
