// @codex/exec-mcp/shell: the MCP server whose tool `shell` runs commands with every exec judged.
export { LONGEST_TIMEOUT_MS } from './shell-arguments.js';
export { SHELL_SERVER_NAME, type ShellServerOptions, serveShell } from './shell-server.js';
