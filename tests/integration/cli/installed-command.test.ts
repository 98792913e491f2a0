// What a user of the package types: one program, `exec-server`, that serves, and does everything else by a word.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { InstalledCommand } from './support/installed-command.js';

const installed = new InstalledCommand();
const folder = mkdtempSync(join(tmpdir(), 'installed-command-'));
afterAll(() => {
  installed[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('exec-server', () => {
  it('says that this Node is too old, where it is', () => {
    const older = join(folder, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });\n");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', older, installed.program, '--listen', 'stdio'],
      { env: installed.env, encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Error: this needs Node 20.19 or newer, and this is Node 18.20.8: install a newer one and try again\n',
    });
  });

  it.each([[[]], [['serve']], [['exec-server']]])('serves when it is called with %j', async (words) => {
    const server = spawn(
      process.execPath,
      [installed.program, ...words, '--listen', 'ws://127.0.0.1:0', '--quiet'],
      {
        env: installed.env,
      },
    );
    onTestFinished(() => void server.kill('SIGKILL'));
    const line = await new Promise((resolve) =>
      server.stdout.once('data', (block) => resolve(String(block))),
    );
    expect(line).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('runs, copies, sandboxes and examines by a word', () => {
    expect(installed.run(['run', '--', 'echo', 'hello'])).toMatchObject({ status: 0, stdout: 'hello\n' });
    writeFileSync(join(folder, 'a'), 'text');
    expect(installed.run(['cp', '--quiet', 'a', `:${folder}/b`], { cwd: folder }).status).toBe(0);
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('text');
    expect(installed.run(['sandbox', '--', 'echo', 'hello'], { cwd: folder }).stdout).toBe('hello\n');
    expect(JSON.parse(installed.run(['doctor', '--json']).stdout)).toMatchObject({
      findings: expect.any(Array),
    });
  });

  it('knows its own name in help, errors and hints, and no other', () => {
    const help = installed.run(['--help']);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain('Usage: exec-server [options]');
    for (const word of ['run', 'cp', 'sandbox', 'doctor', 'completion', 'version'])
      expect(help.stdout).toMatch(new RegExp(`^  ${word}\\b`, 'm'));
    for (const word of ['run', 'cp', 'sandbox', 'doctor', 'completion', 'version', 'serve']) {
      const { stdout } = installed.run([word, '--help']);
      expect(stdout).toContain(`Usage: exec-server ${word}`);
      expect(stdout).not.toMatch(/\bcodex (?:run|cp|sandbox|doctor)\b/);
      expect(installed.run(['help', word]).stdout).toBe(stdout);
    }
    expect(installed.run(['run', '--url', 'ws://127.0.0.1:1', '--', 'ls']).stderr).toMatch(
      /^exec-server run: /,
    );
    expect(installed.run(['cp', 'no-such-file', ':/x']).stderr).toMatch(/^exec-server cp: /);
  });

  it('tells its version, as JSON with what it speaks', () => {
    const { version } = JSON.parse(installed.run(['version', '--json']).stdout) as { version: string };
    expect(JSON.parse(installed.run(['version', '--json']).stdout)).toEqual({
      version,
      speaks: 'codex exec-server 0.169.0',
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
    });
    for (const words of [['--version'], ['-V'], ['version']])
      expect(installed.run(words)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('calls a word that is no command an error of use', () => {
    expect(installed.run(['dcotor'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("unknown command 'dcotor'"),
    });
    expect(installed.run(['dcotor']).stderr).toContain('Did you mean doctor?');
  });

  it('calls wrong flags of what lies below a command errors of use', () => {
    for (const words of [
      ['mint'],
      ['mint', 'folder', '--role', 'boss'],
      ['ls', '--no-such-flag'],
      ['nonsense'],
    ]) {
      const { status, stderr } = installed.run(['fleet', ...words]);
      expect({ words, status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("try '--help'"),
      });
    }
    expect(installed.run(['fleet', 'mint', '--help'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('shows defaults in words', () => {
    for (const words of [['cp'], ['fleet', 'mint'], ['fleet', 'init']])
      expect(installed.run([...words, '--help']).stdout).not.toMatch(/default: \[/);
  });

  it('helps with what lies below a command, and starts nothing for it', () => {
    expect(installed.run(['help', 'fleet', 'mint']).stdout).toContain('Usage: exec-server fleet mint');
    expect(installed.run(['help', 'run', 'ls']).stdout).toBe(installed.run(['run', '--help']).stdout);
  });

  it('names the word that is no command, also behind help', () => {
    for (const words of [['dctor'], ['help', 'dctor']]) {
      const { status, stdout, stderr } = installed.run(words);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/unknown command 'dctor'\n\(Did you mean doctor\?\)/);
    }
    expect(installed.run(['help', 'nonsense']).stderr).toContain("unknown command 'nonsense'");
  });

  it.each(['--help', 'help', 'run --help', 'doctor --json', 'completion bash', 'version'])(
    'says nothing when nobody reads what `exec-server %s` prints',
    (words) => {
      const { stdout, stderr } = installed.bash(
        `(sleep 0.2; exec-server ${words}; echo "ended $?" >&2) | true`,
      );
      expect({ stdout, stderr }).toEqual({
        stdout: '',
        stderr: expect.stringMatching(/^ended (?:0|1|141)\n$/),
      });
    },
  );
});

describe('the options of a command that is run', () => {
  it.each([
    ['run', ['echo', '--timeout', '5', '--help', '-t']],
    ['sandbox', ['echo', '--policy', 'x', '--help']],
  ])('%s passes them on from the first word', (word, argv) => {
    expect(installed.run([word, ...argv], { cwd: folder })).toMatchObject({
      status: 0,
      stdout: `${argv.slice(1).join(' ')}\n`,
    });
  });

  it('takes a repeated option of sandbox once each, not the command with it', () => {
    expect(
      installed.run(['sandbox', '--writable', folder, '--deny', 'x', 'echo', 'hi'], { cwd: folder }),
    ).toMatchObject({
      stdout: 'hi\n',
      status: 0,
    });
  });
});
