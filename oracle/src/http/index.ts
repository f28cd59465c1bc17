export { createApp } from "./app.ts";
export { type Problem } from "./problem.ts";
export { ListenError, serve, type HttpServer } from "./server.ts";
export { STAGES, type Stage } from "./views.ts";
