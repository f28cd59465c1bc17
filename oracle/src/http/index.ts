export { createApp } from "./app.ts";
export { API_VERSION, openApiDocument } from "./openapi.ts";
export { PROBLEMS, type ProblemCode } from "./problems.ts";
export { ListenError, serve, type HttpServer } from "./server.ts";
