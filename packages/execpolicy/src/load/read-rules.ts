// Reads rule files from the disk.

import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../check/policy.js';
import { ExecPolicyError } from '../exec-policy-error.js';
import { LIMITS } from '../limits.js';
import { PolicyBuilder } from './parse-policy.js';

const SUFFIX = '.rules';

/** The policy of these files, in this order. */
export async function readPolicy(files: readonly string[]): Promise<Policy> {
  const builder = new PolicyBuilder();
  for (const file of files) builder.add({ file, text: await readRulesFile(file) });
  return builder.build();
}

/**
 * The policy of all `*.rules` directly in these folders, which come in the order given and need not exist. Only regular
 * files count: a link could lead to a file that another user may write.
 */
export async function loadRules(folders: readonly string[]): Promise<Policy> {
  return readPolicy(await listRuleFiles(folders));
}

/** The files that `loadRules` reads, in its order. */
export async function listRuleFiles(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) files.push(...(await ruleFilesIn(folder)));
  return files;
}

async function ruleFilesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX) && entry.name.length > SUFFIX.length)
      .map(({ name }) => name)
      .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
      .map((name) => join(folder, name));
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw unreadable(folder, error);
  }
}

/** Invalid UTF-8 is an error; a byte order mark stays and is one, too. */
export async function readRulesFile(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readBounded(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  if (bytes.length > LIMITS.fileBytes) {
    throw new ExecPolicyError('RULES_LIMIT', `the file is larger than ${LIMITS.fileBytes} bytes`, file);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(file, error, 'the file is not UTF-8');
  }
}

/** One byte more than is allowed at most, also from what has no size, like a pipe. */
async function readBounded(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const blocks: Buffer[] = [];
    let length = 0;
    while (length <= LIMITS.fileBytes) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(64 * 1024));
      if (bytesRead === 0) break;
      blocks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(blocks);
  } finally {
    await handle.close();
  }
}

function unreadable(path: string, cause: unknown, reason?: string): ExecPolicyError {
  const sentence = reason ?? (cause instanceof Error ? cause.message : String(cause));
  return new ExecPolicyError('RULES_UNREADABLE', sentence, path, { cause });
}
