// A directory of the check's own, and paths into it in the form the wire wants.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject, RpcFailure } from '../../client/message.js';
import type { CheckContext } from '../../runner/check-context.js';

export interface Workplace {
  readonly connection: Conversation;
  readonly directory: string;
  /** The native path of a name in the directory. */
  path(name: string): string;
  /** The `file:` URI of a name in the directory. */
  uri(name: string): string;
}

export async function workplace(t: CheckContext): Promise<Workplace> {
  const directory = await t.scratch();
  const path = (name: string) => join(directory, name);
  return { connection: await t.open(), directory, path, uri: (name) => pathToFileURL(path(name)).href };
}

export async function readText({ connection, uri }: Workplace, name: string): Promise<string> {
  const { dataBase64 } = await connection.call('fs/readFile', { path: uri(name) });
  return Buffer.from(String(dataBase64), 'base64').toString('utf8');
}

export const NOT_FOUND = { code: -32004, message: 'No such file or directory (os error 2)' };
export const NOT_A_DIRECTORY = { code: -32603, message: 'Not a directory (os error 20)' };

/**
 * Calls a file method that must be refused with this code, and with a text that begins as the system's does.
 * A server may add which path it means.
 */
export async function assertRefused(
  connection: Conversation,
  [method, params]: readonly [string, JsonObject],
  expected: { readonly code: number; readonly message?: string },
): Promise<RpcFailure> {
  const refusal = await connection.refusal(method, params);
  const what = `${method} ${JSON.stringify(params)} got ${JSON.stringify(refusal)}`;
  assert.equal(refusal.code, expected.code, what);
  assert.ok(refusal.message.startsWith(expected.message ?? ''), what);
  return refusal;
}

/** A refusal whose exact code is the server's choice, as long as it blames neither the method nor itself being lost. */
export async function assertRefusedSomehow(
  connection: Conversation,
  method: string,
  params: JsonObject,
): Promise<void> {
  const refusal = await connection.refusal(method, params);
  assert.ok([-32600, -32602, -32603].includes(refusal.code), `${method}: ${JSON.stringify(refusal)}`);
}

export async function makeFifo(path: string): Promise<void> {
  await promisify(execFile)('mkfifo', [path]);
}

/** Gives a writer that waits for a reader of the FIFO what it waits for, so that no thread of a server stays blocked. */
export async function releaseFifo(path: string): Promise<void> {
  const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  await new Promise((done) => setTimeout(done, 100));
  await reader.close();
}
