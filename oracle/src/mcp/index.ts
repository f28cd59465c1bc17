export type { AuditFindings, Auditor } from "./audit-tool.ts";
export { createMcpHttp, type McpHttp } from "./http.ts";
export { createRemoteAnswers } from "./remote-answers.ts";
export { serveMcpHttp, serveMcpStdio } from "./serve.ts";
export { MCP_VERSION, createMcpServerFactory, toolsOf, type McpServices } from "./server.ts";
export { jsonSchemaOf, type ToolDefinition } from "./tool.ts";
