// The real Claude Code in whole turns with our tool `shell`; its model is a stand-in on loopback. It opens stdio servers with the
// revision of July 2026: a question is a result, and the repeated call continues the run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveMessages } from '../model/messages-server.js';
import { installedClients, PROGRAM, runClient } from './installed-client.js';

const VERSION = '2.1.327';
const RULES =
  'prefix_rule(["id"], "forbidden")\nprefix_rule(["touch"], "allow")\nprefix_rule(["mkdir"], "prompt", justification="a folder")\n';

/** Not below the temporary folder, which the sandbox can write. */
const base = mkdtempSync(join(homedir(), '.exec-claude-code-'));
const [home, workspace] = ['home', 'workspace'].map((name) => join(base, name)) as [string, string];
const sent = join(base, 'sent');
const made = (name: string): string => join(base, name);
let claude = '';

beforeAll(() => {
  claude = join(
    installedClients(`claude-code-${VERSION}`, [`@anthropic-ai/claude-code@${VERSION}`]),
    'claude',
  );
  for (const folder of [join(home, '.codex', 'rules'), workspace]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, '.codex', 'rules', 'a.rules'), RULES);
  const args = ['-c', 'tee "$0" | "$@"', sent, process.execPath, PROGRAM, 'exec-mcp-server'];
  writeFileSync(made('mcp.json'), JSON.stringify({ mcpServers: { shell: { command: 'sh', args } } }));
}, 600_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A user who says yes to whatever a server asks: a hook of Claude Code that answers in his place. */
function approving(): string {
  const output = { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: {} } };
  writeFileSync(made('yes.json'), JSON.stringify(output));
  const command = `cat > ${made('asked')}; cat ${made('yes.json')}`;
  const settings = { hooks: { Elicitation: [{ hooks: [{ type: 'command', command }] }] } };
  writeFileSync(made('settings.json'), JSON.stringify(settings));
  return made('settings.json');
}

async function turn(commands: readonly string[], flags: readonly string[] = []): Promise<readonly string[]> {
  const calls = commands.map((command) => ({
    name: 'mcp__shell__shell',
    input: { command, workdir: workspace, login: false },
  }));
  const model = await serveMessages(calls);
  try {
    const { code, stdout, stderr } = await runClient(
      claude,
      [
        ...['-p', 'Use the shell', '--mcp-config', made('mcp.json'), '--strict-mcp-config'],
        ...['--allowedTools', 'mcp__shell__shell', ...flags],
      ],
      {
        home,
        cwd: workspace,
        env: {
          ANTHROPIC_API_KEY: 'none',
          ANTHROPIC_BASE_URL: model.url,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ENABLE_TOOL_SEARCH: 'false',
        },
      },
    );
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'done\n' });
    return [...model.results];
  } finally {
    await model.close();
  }
}

describe('the tool shell in a turn of Claude Code', () => {
  it('runs inside, lets out what a rule allows, denies what one forbids, and shows the model all of it', async () => {
    const results = await turn([
      'echo from $((40 + 2)); id',
      `cp /dev/null ${made('copied')}`,
      `touch ${made('touched')}; exit 5`,
    ]);
    const [denied, confined, allowed] = results.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(denied).toMatchObject({
      exit_code: 1,
      output: 'from 42\nExecution denied: forbidden by policy\n',
    });
    expect(confined).toMatchObject({ exit_code: 1, sandbox_denied: true });
    expect(allowed).toMatchObject({ exit_code: 5 });
    expect([existsSync(made('copied')), existsSync(made('touched'))]).toEqual([false, true]);
    const first = JSON.parse(readFileSync(sent, 'utf8').split('\n')[0] ?? '') as { method: string };
    expect(first.method).toBe('server/discover');
  });

  it('asks its user, and goes on after a yes', async () => {
    const [text = ''] = await turn(
      [`echo before; mkdir ${made('folder')}; echo code $?`],
      ['--settings', approving()],
    );
    expect(JSON.parse(text)).toMatchObject({ exit_code: 0, output: 'before\ncode 0\n' });
    expect(existsSync(made('folder'))).toBe(true);
    expect(readFileSync(made('asked'), 'utf8')).toContain('outside the sandbox');
  });

  it('runs nothing where nobody is there to be asked', async () => {
    const [text = ''] = await turn([`mkdir ${made('never')}; echo code $?`]);
    expect(JSON.parse(text)).toMatchObject({
      output: expect.stringMatching(/^Execution denied: .*\ncode 1\n$/),
    });
    expect(existsSync(made('never'))).toBe(false);
  });
});

it('Claude Code adds it with the line of the document', async () => {
  const run = (args: readonly string[]) => runClient(claude, args, { home, cwd: workspace });
  const server = [process.execPath, PROGRAM, 'exec-mcp-server'];
  expect(await run(['mcp', 'add', 'shell', '--', ...server])).toMatchObject({ code: 0 });
  expect((await run(['mcp', 'list'])).stdout).toMatch(/shell: .*[✓✔] Connected/);
});
