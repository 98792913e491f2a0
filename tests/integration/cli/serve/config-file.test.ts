// The configuration file of the server: what it sets, what counts before it, and what is refused with key and line.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from '../support/codex-command.js';
import { InstalledCommand } from '../support/installed-command.js';

const installed = new InstalledCommand();
const folder = mkdtempSync(join(tmpdir(), 'exec-server-config-'));
const file = join(folder, 'settings.toml');
afterAll(() => {
  installed[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** What counts, as `--print-config` says it: `key = value  # source`. */
function effective(args: readonly string[], env: Record<string, string> = {}): Map<string, string> {
  const { status, stdout, stderr } = installed.run([...args, '--print-config'], { env });
  if (status !== 0) throw new Error(stderr);
  return new Map(
    stdout.split('\n').flatMap((line) => {
      const [, key = '', rest = ''] = /^([a-z0-9-]+) = (.*)$/.exec(line) ?? [];
      return key === '' ? [] : [[key, rest] as const];
    }),
  );
}

function complaint(text: string): string {
  writeFileSync(file, text);
  const { status, stderr, stdout } = installed.run(['--config', file, '--listen', 'ws://127.0.0.1:0']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return stderr;
}

describe('the configuration file', () => {
  beforeAll(() =>
    writeFileSync(file, 'max-sessions = 3\nlog-level = "info"\nallow-host = ["a", "b"]\nquiet = true\n'),
  );

  it('sets what flags set', () => {
    const settings = effective(['--config', file]);
    expect(settings.get('max-sessions')).toBe(`3  # ${file}`);
    expect(settings.get('allow-host')).toBe(`["a","b"]  # ${file}`);
    expect(settings.get('quiet')).toBe(`true  # ${file}`);
    expect(settings.get('listen')).toBe('"ws://127.0.0.1:0"  # default');
    expect(settings.size).toBeGreaterThan(50);
  });

  it('counts after a variable, and that after a flag', () => {
    const env = { EXEC_SERVER_MAX_SESSIONS: '4', EXEC_SERVER_LOG_LEVEL: 'error', EXEC_SERVER_QUIET: 'no' };
    const settings = effective(['--config', file, '--max-sessions', '5'], env);
    expect(settings.get('max-sessions')).toBe('5  # --max-sessions');
    expect(settings.get('log-level')).toBe('"error"  # $EXEC_SERVER_LOG_LEVEL');
    expect(settings.get('quiet')).toBe('false  # $EXEC_SERVER_QUIET');
  });

  it('is found at its usual place, by a variable, and not at all with --no-config', () => {
    const usual = join(folder, 'xdg', 'exec-server', 'config.toml');
    mkdirSync(dirname(usual), { recursive: true });
    writeFileSync(usual, 'max-sessions = 7\n');
    // The helper's environment names no file; these lines leave it to the usual place.
    const line = (words: string): string =>
      installed.bash(`unset EXEC_SERVER_CONFIG; exec-server --print-config ${words} | grep ^max-sessions`, {
        env: { XDG_CONFIG_HOME: join(folder, 'xdg') },
      }).stdout;
    expect(line('')).toBe(`max-sessions = 7  # ${usual}\n`);
    expect(line('--no-config')).toMatch(/# default\n$/);
    expect(effective([], { EXEC_SERVER_CONFIG: file }).get('max-sessions')).toBe(`3  # ${file}`);
  });

  it('prints what is a file that says the same', () => {
    const printed = installed.run(['--config', file, '--print-config']).stdout;
    const copy = join(folder, 'copy.toml');
    writeFileSync(copy, printed);
    const again = installed.run(['--config', copy, '--print-config']).stdout;
    const values = (text: string): string => text.replaceAll(/ {2}# .*/g, '');
    expect(values(again)).toBe(values(printed));
  });

  it('takes relative paths from where it is written', () => {
    writeFileSync(join(folder, 'tls.toml'), 'tls-cert = "cert.pem"\n');
    expect(effective(['--config', join(folder, 'tls.toml')]).get('tls-cert')).toMatch(
      new RegExp(`^"${join(folder, 'cert.pem')}"`),
    );
  });
});

describe('a configuration that makes no sense', () => {
  it.each([
    ['\nmax-sesions = 3\n', ':2: unknown key `max-sesions`'],
    ['max_sessions = 3\n', ':1: unknown key `max_sessions`; did you mean `max-sessions`?'],
    ['lisen = "stdio"\n', ':1: unknown key `lisen`; did you mean `listen`?'],
    ['MaxSesions = 3\n', ':1: unknown key `MaxSesions`; did you mean `max-sessions`?'],
    ['# one\n\nmax-sessions = "3"\n', ':3: `max-sessions` is a whole number that is 0 or more, not "3"'],
    ['max-sessions = -1\n', ':1: `max-sessions` is a whole number that is 0 or more, not -1'],
    ['max-sessions = 1.5\n', ':1: `max-sessions` is a whole number that is 0 or more, not 1.5'],
    ['quiet = 1\n', ':1: `quiet` is true or false, not 1'],
    [
      'log-level = "loud"\n',
      ':1: `log-level` is one of "debug", "info", "warn", "error", "silent", not "loud"',
    ],
    ['allow-host = ["""\nlog-level = 1\n""", "x"]\nlog-level = 1\n', ':4: `log-level` is one of'],
    ['[limits]\nmax-sessions = 1\n', ':1: unknown key `limits`'],
    ['listen = \n', ':1: '],
    ['quiet = true\nlisten = ws://127.0.0.1:0\n', ':2: invalid value in `listen = ws://127.0.0.1:0`'],
    ['quiet = true\nquiet = true\n', ':2: '],
  ])('is refused: %j', (text, sentence) => {
    const stderr = complaint(text);
    expect(stderr).toContain(`Error: ${file}${sentence}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('is also a variable without sense, and a file that is missing or that anybody can write', () => {
    expect(installed.run(['--print-config'], { env: { EXEC_SERVER_MAX_SESSIONS: 'many' } }).stderr).toBe(
      'Error: `EXEC_SERVER_MAX_SESSIONS` is a whole number that is 0 or more, not "many"\n',
    );
    expect(installed.run(['--config', '/no/such']).stderr).toMatch(
      /^Error: cannot read the configuration \/no\/such: ENOENT/,
    );
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    expect(installed.run(['--config', file]).stderr).toBe(
      `Error: ${file} can be written by anybody: chmod o-w it\n`,
    );
    chmodSync(file, 0o644);
  });
});

describe('the schema of the configuration', () => {
  it('lies in the package, and knows what --print-config prints', () => {
    const schema = JSON.parse(readFileSync(join(dirname(APP), 'config.schema.json'), 'utf8')) as {
      properties: Record<string, object>;
      additionalProperties: boolean;
    };
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties['max-sessions']).toMatchObject({ type: 'integer', minimum: 0 });
    expect(schema.properties['log-level']).toMatchObject({
      enum: expect.arrayContaining(['debug']),
      default: 'warn',
    });
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining([...effective([]).keys()]));
    expect(installed.run(['--print-config-schema']).stdout).toBe(
      readFileSync(join(dirname(APP), 'config.schema.json'), 'utf8'),
    );
  });
});
