// @codex/exec-mcp: MCP servers on stdio. The SDK stays inside `server/`.
export type {
  Answer,
  JsonObject,
  McpMethod,
  McpServerDescription,
  McpTool,
  ProtocolEra,
  Question,
  ToolContext,
  ToolHints,
  ToolResult,
} from './server/description.js';
export { InvalidCallError } from './server/invalid-call-error.js';
export { type McpConnection, type ServeMcpOptions, serveMcp } from './server/serve-mcp.js';
export {
  serveTerminal,
  TERMINAL_SERVER_NAME,
  type TerminalApprovals,
  type TerminalServerOptions,
} from './unified-exec/terminal-server.js';
