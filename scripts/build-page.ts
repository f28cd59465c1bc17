import { buildPage } from "../web/host/build.ts";

await buildPage();
