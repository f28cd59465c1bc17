/** The page as files: how it is served from this machine, and with which headers. */

export { PAGE_FOLDER } from "./folder.ts";
export { connectOrigins, contentSecurityPolicy, securityHeaders } from "./headers.ts";
export { type PageOptions, type ServedPage, servePage } from "./serve.ts";
