// The MCP server `codex mcp-server`: a terminal and files for any MCP client, on one exec-server.

import { type ExecServerClient, type SandboxOption, wireSandbox } from '@codex/exec-client';
import { type ApprovalPolicy, UnifiedExec, type UnifiedExecOptions } from '@codex/unified-exec';
import { type McpConnection, type ServeMcpOptions, serveMcp } from '../server/serve-mcp.js';
import { CallContexts, commandTools } from './command-tools.js';
import { fileTools } from './file-tools.js';

/** `on-failure`: asked when the sandbox denied a command, besides the questions of `on-request`. */
export type TerminalApprovals = 'never' | 'on-request' | 'on-failure' | 'untrusted';

export interface TerminalServerOptions {
  readonly client: ExecServerClient;
  readonly version: string;
  /** Where commands run and relative paths start, and the workspace of the sandbox. Absolute. */
  readonly cwd: string;
  /** Of commands and of the file tools. Undefined: they may do what the server may. */
  readonly sandbox?: SandboxOption;
  readonly approvals: TerminalApprovals;
  readonly rules?: NonNullable<UnifiedExecOptions['rules']>;
  readonly streams?: ServeMcpOptions;
}

export const TERMINAL_SERVER_NAME = 'codex-mcp-server';

/** When the connection has closed, every command has ended. The client stays open. */
export function serveTerminal(options: TerminalServerOptions): McpConnection {
  const { client, cwd, approvals, rules } = options;
  const sandbox =
    options.sandbox === undefined ? undefined : wireSandbox(options.sandbox, { info: client.info, cwd });
  const contexts = new CallContexts();
  const exec = new UnifiedExec(client, {
    cwd,
    approvalPolicy: policyOf(approvals),
    approve: contexts.approve,
    applyPatchTool: true,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(rules === undefined ? {} : { rules }),
  });
  const connection = serveMcp(
    {
      name: TERMINAL_SERVER_NAME,
      version: options.version,
      title: 'Terminal and files',
      instructions: instructions(options),
      tools: [
        ...commandTools({ exec, contexts, asksAfterDenial: approvals === 'on-failure' }),
        ...fileTools({ client, cwd, sandbox }),
      ],
    },
    options.streams,
  );
  const closed = connection.closed.then(() => exec[Symbol.asyncDispose]());
  return {
    closed,
    close: async () => {
      await connection.close();
      await closed;
    },
  };
}

function policyOf(approvals: TerminalApprovals): ApprovalPolicy {
  return approvals === 'on-failure' ? { granular: { sandboxApproval: true, rules: true } } : approvals;
}

function instructions({ cwd, sandbox, approvals }: TerminalServerOptions): string {
  const where = `Commands run in ${cwd}${sandbox === undefined ? ', without a sandbox' : ', in a sandbox'}.`;
  const sessions =
    'A command that outlives its yield time keeps running: go on with write_stdin and its session_id, and poll with empty chars.';
  const asking = {
    never: 'Nobody can be asked to leave the sandbox.',
    'on-request':
      'A command that needs to leave the sandbox is called with sandbox_permissions "require_escalated" and a justification; the user is asked.',
    'on-failure': 'When the sandbox denies a command, the user is asked to run it again outside.',
    untrusted: 'The user is asked about every command that no rule allows.',
  }[approvals];
  return [where, sessions, ...(sandbox === undefined ? [] : [asking])].join(' ');
}
