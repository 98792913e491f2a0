// Our tool `shell` in whole turns of the real CLI, in both eras of MCP: its sandbox, its questions, what its model sees.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { TurnOptions, TurnScript } from '../cli/play-turn.js';
import { playOnOurs } from '../compare/both-servers.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));
/** No sandbox of a turn can write it. */
const TARGET = join(homedir(), `.exec-shell-tool-${process.pid}`);
/** What the CLI sends to the tool server. */
const SENT = join(homedir(), `.exec-shell-tool-sent-${process.pid}`);
const RULES =
  'prefix_rule(["touch"], "prompt")\nprefix_rule(["mkdir"], "allow")\nprefix_rule(["id"], "forbidden")\n';

afterEach(() => {
  rmSync(TARGET, { recursive: true, force: true });
  rmSync(SENT, { force: true });
});

const ERAS = {
  handshake: [],
  '2026-07-28': ['CODEX_MCP_PROTOCOL_VERSION = "2026-07-28"'],
} as const;

function play(era: keyof typeof ERAS, script: TurnScript, options: TurnOptions = {}): Promise<void> {
  return playOnOurs(script, {
    sandbox: 'workspace-write',
    address: () => ({ via: 'local' }),
    files: { 'team.rules': RULES },
    cliFlags: era === 'handshake' ? [] : ['--enable', 'mcp_2026_07_28'],
    config: (workspace) => [
      '[mcp_servers.shell]',
      'command = "sh"',
      `args = ${JSON.stringify(['-c', 'tee "$0" | "$@"', SENT, process.execPath, PROGRAM, 'exec-mcp-server', '--rules', join(workspace, 'team.rules')])}`,
      `cwd = ${JSON.stringify(workspace)}`,
      'required = true',
      'default_tools_approval_mode = "approve"',
      ...(ERAS[era].length === 0 ? [] : ['[mcp_servers.shell.env]', ...ERAS[era]]),
    ],
    ...options,
  });
}

const seen = (output: unknown): string => JSON.stringify(output);

describe.each(Object.keys(ERAS) as (keyof typeof ERAS)[])('the tool shell in a turn (%s)', (era) => {
  it('runs in the sandbox of the turn, and lets out what a rule allows', async () => {
    await play(era, async (model, { workspace }) => {
      const call = async (command: string) =>
        seen(await model.tool('mcp__shell', 'shell', { command, workdir: workspace, login: false }));
      expect(await call('echo hello > made; cat made')).toContain('hello');
      expect(await call(`cp /dev/null ${TARGET}`)).toContain('Read-only file system');
      expect(await call('id')).toContain('forbidden by policy');
      expect(await call(`mkdir ${TARGET}; exit 5`)).toMatch(/exit_code[^0-9]+5/);
    });
    expect(existsSync(TARGET)).toBe(true);
    const sent = readFileSync(SENT, 'utf8');
    expect(sent.includes('"initialize"')).toBe(era === 'handshake');
    expect(sent.includes('2026-07-28')).toBe(era === '2026-07-28');
    expect(sent).toContain('codex/sandbox-state-meta');
  });

  it('is read-only where the turn is', async () => {
    await play(
      era,
      async (model, { workspace }) => {
        const args = { command: 'cp /dev/null made', workdir: workspace };
        expect(seen(await model.tool('mcp__shell', 'shell', args))).toContain('Read-only file system');
      },
      { sandbox: 'read-only' },
    );
  });

  it.each(['accept', 'decline'] as const)('asks the user of the CLI, who says %s', async (decision) => {
    await play(
      era,
      async (model, { workspace }) => {
        const args = { command: `touch ${TARGET}; echo code $?`, workdir: workspace, login: false };
        const output = seen(await model.tool('mcp__shell', 'shell', args));
        expect(output).toContain(decision === 'accept' ? 'code 0' : 'User declined execution');
      },
      { approving: { decision } },
    );
    expect(existsSync(TARGET)).toBe(decision === 'accept');
  });

  it('is declined where nobody may be asked', async () => {
    await play(era, async (model, { workspace }) => {
      const args = { command: `touch ${TARGET}`, workdir: workspace, login: false };
      expect(seen(await model.tool('mcp__shell', 'shell', args))).toMatch(/Execution denied/);
    });
    expect(existsSync(TARGET)).toBe(false);
  });
});
