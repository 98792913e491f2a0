// "Always allow": appends one rule to a rule file.

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ExecPolicyError } from '../exec-policy-error.js';
import { withFileLock } from './file-lock.js';
import { parsePolicy } from './parse-policy.js';

/** It neither follows a link nor waits for the reader of a pipe. */
const FLAGS =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Appends `prefix_rule(pattern=[…], decision="allow")` for commands that start with these words. The line is written with
 * one call, so others who append lose nothing and no reader sees half of it; where it stands already nothing happens.
 * A file that is broken is refused: what is appended to it might mean something else.
 */
export async function appendAllowRule(file: string, command: readonly string[]): Promise<void> {
  const line = allowRule(file, command);
  await mkdir(dirname(file), { recursive: true });
  await withFileLock(`${file}.lock`, file, async () => {
    const handle = await openForAppending(file);
    try {
      const text = await handle.readFile('utf8');
      if (text.split(/\r?\n/).includes(line)) return;
      const addition = text === '' || text.endsWith('\n') ? `${line}\n` : `\n${line}\n`;
      parsePolicy({ file, text: text + addition });
      await writeOnce(handle, file, addition);
    } finally {
      await handle.close();
    }
  });
}

/** JSON quotes a string as the language does; what JSON cannot say is refused. */
function allowRule(file: string, command: readonly string[]): string {
  if (command.length === 0)
    throw new ExecPolicyError('RULES_INVALID', 'there is no rule for an empty command', file);
  if (command.some((word) => /\p{Surrogate}/u.test(word))) {
    throw new ExecPolicyError('RULES_INVALID', 'a word of the command is no valid text', file);
  }
  return `prefix_rule(pattern=[${command.map((word) => JSON.stringify(word)).join(', ')}], decision="allow")`;
}

async function openForAppending(file: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(file, FLAGS, 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ExecPolicyError('RULES_UNWRITABLE', 'not a regular file', file);
}

async function writeOnce(handle: FileHandle, file: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  try {
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length) {
      await handle.truncate((await handle.stat()).size - bytesWritten);
      throw new ExecPolicyError('RULES_UNWRITABLE', 'there is no room for the whole line', file);
    }
    await handle.sync();
  } catch (error) {
    throw error instanceof ExecPolicyError ? error : unwritable(file, error);
  }
}

function unwritable(file: string, cause: unknown): ExecPolicyError {
  return new ExecPolicyError(
    'RULES_UNWRITABLE',
    cause instanceof Error ? cause.message : String(cause),
    file,
    {
      cause,
    },
  );
}
