import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { NETWORKS_SCHEMA } from "@assay/protocol";
import { defineConfig, type Plugin } from "vite";
import { PAGE_FOLDER } from "./folder.ts";

const WEB = join(import.meta.dirname, "..");

/** One copy of a library that several packages bring along. */
const zod = dirname(createRequire(join(WEB, "../protocol/package.json")).resolve("zod/package.json"));

/** `vite` by itself: takes the network that `npm start` is running, and drops the policy, which hot reloading breaks. */
const development: Plugin = {
  name: "assay-development",
  apply: "serve",
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ""),
  configureServer(server) {
    server.middlewares.use("/assay.json", (_request, response) => {
      const profile: unknown = JSON.parse(readFileSync(join(WEB, "../.assay/localnet.json"), "utf8"));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ schema: NETWORKS_SCHEMA, networks: [profile] }));
    });
  },
};

/** Has the code that every page needs fetched beside the frame, and run only when the frame asks for it. */
const preloadCore: Plugin = {
  name: "assay-preload-core",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .filter((file) => file.type === "chunk" && file.name === "core")
        .map(({ fileName }) => ({
          tag: "link",
          attrs: {
            rel: "preload",
            as: "script",
            href: `/${fileName}`,
            crossorigin: true,
            fetchpriority: "low",
          },
          injectTo: "head",
        })),
  },
};

/**
 * How the page is bundled: nothing inlined, so that the policy needs no exception, a chunk for the
 * frame of every page, and one for each route.
 */
export default defineConfig({
  root: WEB,
  publicDir: join(WEB, "public"),
  plugins: [react(), development, preloadCore],
  resolve: { alias: [{ find: /^zod(?=\/|$)/, replacement: zod }] },
  build: {
    outDir: PAGE_FOLDER,
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What shows the frame of every page: it comes first, and alone.
            { name: "frame", tags: ["$initial"], priority: 2 },
            // What most pages need, in one file instead of thirty.
            { name: "core", minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
});
