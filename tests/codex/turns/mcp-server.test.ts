// `mcp-server` with the real Codex CLI as its client, in both eras of MCP.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TurnOptions } from '../cli/play-turn.js';
import { playOnOurs } from '../compare/both-servers.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));

const ERAS = { handshake: [], stateless: ['env = { CODEX_MCP_PROTOCOL_VERSION = "2026-07-28" }'] } as const;

function entry(workspace: string, flags: readonly string[], more: readonly string[]): string[] {
  const args = [PROGRAM, 'mcp-server', '--cwd', workspace, ...flags];
  return [
    '[features]',
    'mcp_2026_07_28 = true',
    '[mcp_servers.terminal]',
    `command = ${JSON.stringify(process.execPath)}`,
    `args = ${JSON.stringify(args)}`,
    'required = true',
    'default_tools_approval_mode = "approve"',
    ...more,
  ];
}

const LOCAL: Pick<TurnOptions, 'address'> = { address: () => ({ via: 'local' }) };

describe.each(Object.entries(ERAS))('mcp-server and the Codex CLI in the era %s', (_era, more) => {
  it('gives its model commands, sessions and files', async () => {
    await playOnOurs(
      async (model, { workspace }) => {
        const call = async (name: string, args: object): Promise<string> =>
          JSON.stringify(await model.tool('mcp__terminal', name, args));
        expect(await call('exec_command', { cmd: 'pwd; exit 3', login: false })).toContain(workspace);
        const started = await call('exec_command', {
          cmd: 'read x; echo got $x',
          tty: true,
          login: false,
          yield_time_ms: 250,
        });
        const id = Number(/session_id\D+(\d+)/.exec(started)?.[1]);
        expect(await call('write_stdin', { session_id: id, chars: 'it\n', yield_time_ms: 5000 })).toContain(
          'got it',
        );
        await call('write_file', { path: 'made.txt', content: 'by a model' });
        expect(existsSync(`${workspace}/made.txt`)).toBe(true);
        expect(await call('read_file', { path: 'made.txt' })).toContain('by a model');
        expect(await call('exec_command', { cmd: 'touch /var/tmp/never', login: false })).toContain(
          'sandbox_denied',
        );
      },
      { ...LOCAL, config: (workspace) => entry(workspace, [], more) },
    );
  });

  it.each(['accept', 'decline'] as const)(
    'asks the user of the CLI, who answers with %s',
    async (decision) => {
      const path = `/var/tmp/mcp-server-asked-${process.pid}`;
      await playOnOurs(
        async (model, { codex }) => {
          const args = { cmd: `touch ${path} && rm ${path} && echo ran`, login: false };
          const answer = JSON.stringify(await model.tool('mcp__terminal', 'exec_command', args));
          expect(answer).toContain(decision === 'accept' ? 'ran' : 'the user declined it');
          if (!('asked' in codex)) throw new Error('this turn has nobody who answers');
          expect(codex.asked.map(({ method }) => method)).toEqual(['mcpServer/elicitation/request']);
          expect(JSON.stringify(codex.asked[0]?.params)).toContain('outside the sandbox');
        },
        {
          ...LOCAL,
          approving: { decision },
          config: (workspace) => entry(workspace, ['--approvals', 'on-failure'], more),
        },
      );
    },
  );
});
