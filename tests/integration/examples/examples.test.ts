// Every program of examples/ runs as its README says, against the built server.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../examples/', import.meta.url));

const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'first-command': ['hello from the other side', "false 3 [ 'oops' ]", 'timedOut started'],
  'terminal-dialogue': ['it took y', 'exited'],
  'several-at-once': ['50 commands, sum of squares 40425'],
  'survive-a-cut': ['connected', 'reconnecting', 'reconnected', '20 lines, missing 0', 'closed'],
  'sandboxed-command': ['denied: read_only_file_system /var/tmp/exec-server-example', 'approved: hello'],
  'embedded-server': ["it's one word"],
  'ai-sdk-tools': ['hello', 'done'],
  'mcp-terminal': [
    '7 tools',
    'asked: The sandbox denied this command. Run it again outside the sandbox?',
    'exited with code 1: hello',
    'the sandbox denied this command, and it was not run again: the user declined it. Do not try to reach the same by other means.',
  ],
  'model-with-a-terminal': ['exited with code 0: hello', 'exited with code 1: denied', 'done'],
};

describe('examples', () => {
  let server: ExecServerProgram;
  let url: string;
  beforeAll(async () => {
    server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
    url = await server.url();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('are all run here', () => {
    const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(programs.map((name) => name.slice(0, -3)).sort()).toEqual(Object.keys(PRINTED).sort());
  });

  it.each(Object.entries(PRINTED))('%s', async (name, lines) => {
    const { stdout } = await run(
      process.execPath,
      ['--conditions=@codex/source', '--import', 'tsx', `${folder}${name}.ts`, url],
      { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, timeout: 50_000 },
    );
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  });

  it('in Python, a client in one file that loses its connection and no byte', async () => {
    const { stdout } = await run('/usr/bin/python3', [`${folder}python/tour.py`, url], { timeout: 50_000 });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'stdout hello',
      'exit code 3',
      "echoed ['one', 'two']",
      'whole True missing 0',
      'reconnected 1',
    ]);
  });
});
