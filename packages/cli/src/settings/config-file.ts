// The configuration file: TOML, one key per setting, named as the flag without its dashes. What it does not
// understand is an error: a limit that was misspelt would be no limit.
//
// A world-writable file is refused, and so is one of another user (root excepted), because it could switch
// authentication off. It does not stop a command of the same user from changing the file for the next start, unless
// that command runs in a sandbox in which the file is not writable.

import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ConfigFileError } from './config-error.js';
import { lineOfKey } from './key-line.js';
import { expectationMissed, keyOf, type Setting, type SettingValue } from './setting.js';

export const CONFIG_VARIABLE = 'EXEC_SERVER_CONFIG';

/** Of a line that is no TOML. */
const MOST_SHOWN_CHARACTERS = 100;

export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, SettingValue>>;
}

/** `asked` is the flag: a file, or false for none. The default file may be missing. */
export async function readConfigFile(
  asked: string | false | undefined,
  settings: readonly Setting[],
  env: NodeJS.ProcessEnv,
): Promise<ConfigFile | undefined> {
  if (asked === false) return undefined;
  const named = asked ?? env[CONFIG_VARIABLE];
  if (named === '') return undefined;
  const path = named === undefined ? defaultPath(env) : resolve(named);
  const text = readChecked(path, { mayBeMissing: named === undefined });
  return text === undefined ? undefined : { path, values: await checkedValues(path, text, settings) };
}

function defaultPath(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CONFIG_HOME'];
  // The specification of these folders wants relative ones ignored.
  const folder = base !== undefined && isAbsolute(base) ? base : join(homedir(), '.config');
  return join(folder, 'exec-server', 'config.toml');
}

function readChecked(path: string, { mayBeMissing }: { mayBeMissing: boolean }): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
    if (mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw unreadable(path, cause);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new ConfigFileError('CONFIG_FILE_UNREADABLE', `${path} is no regular file`);
    refuseForeign(path, stats);
    return readFileSync(fd, 'utf8');
  } catch (cause) {
    throw cause instanceof ConfigFileError ? cause : unreadable(path, cause);
  } finally {
    closeSync(fd);
  }
}

const WRITABLE_BY_ANYBODY = 0o002;

function refuseForeign(path: string, { uid, mode }: Stats): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  if (uid !== own && uid !== 0)
    throw new ConfigFileError('CONFIG_FILE_UNREADABLE', `${path} belongs to another user`);
  if ((mode & WRITABLE_BY_ANYBODY) !== 0) {
    throw new ConfigFileError('CONFIG_FILE_UNREADABLE', `${path} can be written by anybody: chmod o-w it`);
  }
}

function unreadable(path: string, cause: unknown): ConfigFileError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ConfigFileError('CONFIG_FILE_UNREADABLE', `cannot read the configuration ${path}: ${why}`, {
    cause,
  });
}

async function checkedValues(
  path: string,
  text: string,
  settings: readonly Setting[],
): Promise<Record<string, SettingValue>> {
  const { parse } = await import('smol-toml');
  let document: Record<string, unknown>;
  try {
    document = parse(text);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const line: unknown = Reflect.get(cause, 'line');
    const [what = ''] = cause.message.replace(/^Invalid TOML document: /, '').split('\n');
    const written = typeof line === 'number' ? (text.split('\n')[line - 1] ?? '').trim() : '';
    const shown = written.slice(0, MOST_SHOWN_CHARACTERS);
    throw new ConfigFileError('CONFIG_FILE_INVALID', `${path}:${String(line)}: ${what} in \`${shown}\``, {
      cause,
    });
  }
  const invalid = (key: string, what: string): ConfigFileError => {
    const line = lineOfKey(text, key, parse);
    return new ConfigFileError(
      'CONFIG_FILE_INVALID',
      `${path}${line === undefined ? '' : `:${line}`}: ${what}`,
    );
  };
  const byKey = new Map(settings.map((setting) => [keyOf(setting), setting]));
  const values: Record<string, SettingValue> = {};
  for (const [key, value] of Object.entries(document)) {
    const setting = byKey.get(key);
    if (setting === undefined)
      throw invalid(key, `unknown key \`${key}\`${await suggestion(key, [...byKey.keys()])}`);
    const expected = expectationMissed(setting, value);
    if (expected !== undefined) throw invalid(key, `\`${key}\` is ${expected}, not ${described(value)}`);
    values[setting.name] = atHome(setting, value as SettingValue, path);
  }
  return values;
}

/** A relative path is meant from where it is written. */
function atHome({ kind }: Setting, value: SettingValue, file: string): SettingValue {
  return kind === 'path' && typeof value === 'string' ? resolve(dirname(file), value) : value;
}

function described(value: unknown): string {
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'a table' : JSON.stringify(value);
}

/** Flags are written with dashes, many files with underscores or capitals; and names are misspelt. */
async function suggestion(key: string, known: readonly string[]): Promise<string> {
  const { nearestName } = await import('@codex/exec-protocol/options');
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, '');
  const nearest = nearestName(plain(key), known.map(plain));
  const meant = known.find((candidate) => plain(candidate) === nearest);
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}
