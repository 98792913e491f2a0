// The MCP server `codex-exec-mcp-server`: one tool on one connection, and everything that has to end with it.
import { type CallSandbox, ShellRuns, type ShellRunsOptions } from '@codex/escalation';
import { endSandboxHousekeeping } from '@codex/sandbox';
import type { McpServerDescription } from '../server/description.js';
import { type McpConnection, type ServeMcpOptions, serveMcp } from '../server/serve-mcp.js';
import { parseSandboxState, SANDBOX_STATE_CAPABILITIES, SANDBOX_STATE_UPDATE } from './sandbox-state.js';
import type { TimeoutLimits } from './shell-arguments.js';
import { SHELL_INSTRUCTIONS } from './shell-definition.js';
import { shellTool } from './shell-tool.js';

export interface ShellServerOptions extends TimeoutLimits {
  readonly version: string;
  readonly shell: ShellRunsOptions;
  /** For calls of a client that says nothing about it. */
  readonly sandbox: CallSandbox;
  readonly streams?: ServeMcpOptions;
}

export const SHELL_SERVER_NAME = 'codex-exec-mcp-server';

/** The connection is closed when nothing of any call is left. */
export function serveShell(options: ShellServerOptions): McpConnection {
  const runs = new ShellRuns(options.shell);
  const connection = serveMcp(describeShellServer(options, runs), options.streams);
  const closed = connection.closed.then(async () => {
    await runs.close();
    await options.shell.broker.close();
    options.shell.launcher.close();
    options.shell.audit.close();
    endSandboxHousekeeping();
  });
  return {
    closed,
    close: async () => {
      await connection.close();
      await closed;
    },
  };
}

function describeShellServer(options: ShellServerOptions, runs: ShellRuns): McpServerDescription {
  let sandbox = options.sandbox;
  return {
    name: SHELL_SERVER_NAME,
    version: options.version,
    instructions: SHELL_INSTRUCTIONS,
    experimental: SANDBOX_STATE_CAPABILITIES,
    tools: [
      shellTool({
        runs,
        maxOutputBytes: options.shell.maxOutputBytes,
        defaultTimeoutMs: options.defaultTimeoutMs,
        maxTimeoutMs: options.maxTimeoutMs,
        sandbox: () => sandbox,
      }),
    ],
    methods: {
      // Clients before the state came with each call.
      [SANDBOX_STATE_UPDATE]: async (params) => {
        sandbox = parseSandboxState(params);
        return {};
      },
    },
  };
}
