// Reads and parses one Codex configuration file within a size limit. Its errors name file, line and column.

import { createLocalFileSystem, FileCalls, isErrno, toFsError } from '@codex/exec-files';
import { parse, TomlError, type TomlTable } from 'smol-toml';
import { ConfigError } from './config-error.js';

export interface ConfigFile {
  readonly path: string;
  readonly document: TomlTable;
}

const files = createLocalFileSystem(new FileCalls());
/** Parsing blocks the event loop for all clients, some forms longer than their length lets expect (a number of many digits). */
const MAX_BYTES = 256 * 1024;

/** Undefined where there is no such file. */
export async function readConfigFile(path: string): Promise<ConfigFile | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    return { path, document: parse(text, { integersAsBigInt: true }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new ConfigError('CONFIG_INVALID', `${path}:${error.line}:${error.column}: ${reason}`);
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const bytes = await files.readFile(path, { maxBytes: MAX_BYTES });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    const { message } = error instanceof TypeError ? { message: 'it is not UTF-8' } : toFsError(error);
    throw new ConfigError('CONFIG_UNREADABLE', `Failed to read config file ${path}: ${message}`);
  }
}
