// Parses the flags of `exec-server run` into options of the client.

import { CodedError } from '@codex/exec-protocol';
import { InvalidArgumentError } from 'commander';

export class RunFlagError extends CodedError<'RUN_FLAGS_INVALID'> {
  constructor(message: string) {
    super('RUN_FLAGS_INVALID', message);
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 2 ** 31 - 1;

/** `90`, `1.5s`, `500ms`, `10m`, `2h`; a bare number is seconds. */
export function parseDuration(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Math.ceil(Number(number) * (UNIT_MS[unit] ?? 1000));
  if (number === '' || ms <= 0 || ms > LONGEST_MS) {
    throw new InvalidArgumentError('expected a time such as 90, 1.5s, 500ms, 10m or 2h, at most 24 days.');
  }
  return ms;
}

/** Collects `NAME=VALUE`, or `NAME` for the value it has here, so that a secret need not stand in the arguments. */
export function collectVariable(
  text: string,
  collected: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const split = text.indexOf('=');
  const name = split < 0 ? text : text.slice(0, split);
  if (name === '' || name.includes('\0')) throw new InvalidArgumentError('expected NAME=VALUE or NAME.');
  const value = split < 0 ? env[name] : text.slice(split + 1);
  if (value === undefined) throw new InvalidArgumentError(`${name} is not set here.`);
  return { ...collected, [name]: value };
}
