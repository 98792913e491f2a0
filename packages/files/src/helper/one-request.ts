// The helper as a program of its own: one request as a JSON document, one answer as a line. It adds no policy: its
// parent has put it into a sandbox.

import { Buffer } from 'node:buffer';
import { formatPath, type RpcError, RpcErrorCode } from '@codex/exec-protocol';
import type { FileSystem, WalkOptions } from '../file-system.js';
import { invalidInput } from '../fs-error.js';
import { toRpcError } from '../fs-error-map.js';
import { DEFAULT_FS_LIMITS } from '../fs-limits.js';
import { FileCalls } from '../local/calls/file-calls.js';
import { createLocalFileSystem } from '../local/local-file-system.js';
import { parsePathArgument } from '../path-argument.js';

type Params = Readonly<Record<string, unknown>>;

/** The answer to one request document, without the line end. */
export async function answerOneRequest(document: string): Promise<string> {
  let operation: string | undefined;
  try {
    const request = JSON.parse(document) as { operation?: unknown; params?: unknown };
    if (
      typeof request.operation !== 'string' ||
      typeof request.params !== 'object' ||
      request.params === null
    ) {
      throw invalidInput('a request has an `operation` and `params`');
    }
    operation = request.operation;
    const run = ONE_REQUEST[operation];
    if (run === undefined) throw invalidInput(`unknown operation \`${operation}\``);
    const response = await run(request.params as Params, createLocalFileSystem(new FileCalls()));
    return JSON.stringify({ status: 'ok', payload: { operation, response } });
  } catch (error) {
    const { code, message } = failureOf(error);
    return JSON.stringify({ status: 'error', payload: { code, message } });
  }
}

function failureOf(error: unknown): Pick<RpcError, 'code' | 'message'> {
  if (error instanceof SyntaxError) return { code: RpcErrorCode.invalidRequest, message: error.message };
  return toRpcError(error);
}

const ONE_REQUEST: Readonly<Record<string, (params: Params, files: FileSystem) => Promise<object>>> = {
  'fs/readFile': async (params, files) => {
    const bytes = await files.readFile(path(params), {
      ...follow(params),
      maxBytes: DEFAULT_FS_LIMITS.maxReadFileBytes,
    });
    return { dataBase64: Buffer.from(bytes).toString('base64') };
  },
  'fs/writeFile': (params, files) =>
    done(files.writeFile(path(params), Buffer.from(text(params, 'dataBase64'), 'base64'), follow(params))),
  'fs/createDirectory': (params, files) =>
    done(
      files.createDirectory(path(params), { recursive: flag(params, 'recursive', true), ...follow(params) }),
    ),
  'fs/getMetadata': (params, files) => files.getMetadata(path(params), follow(params)),
  'fs/canonicalize': async (params, files) => {
    const { native, form } = parsePathArgument(text(params, 'path'));
    return { path: formatPath(await files.canonicalize(native), form) };
  },
  'fs/readDirectory': async (params, files) => ({
    entries: await files.readDirectory(path(params), DEFAULT_FS_LIMITS.maxDirectoryEntries),
  }),
  'fs/walk': async (params, files) => {
    const { native, form } = parsePathArgument(text(params, 'path'));
    const options = params['options'] as Omit<WalkOptions, 'pruneHiddenDirectories'> & {
      readonly pruneHiddenDirectories?: boolean;
    };
    return files.walk(native, {
      ...options,
      pruneHiddenDirectories: options.pruneHiddenDirectories ?? false,
      formatPath: (found) => formatPath(found, form),
    });
  },
  'fs/remove': (params, files) =>
    done(
      files.remove(path(params), {
        recursive: flag(params, 'recursive', true),
        force: flag(params, 'force', true),
        ...follow(params),
      }),
    ),
  'fs/copy': (params, files) =>
    done(
      files.copy(path(params, 'sourcePath'), path(params, 'destinationPath'), {
        recursive: flag(params, 'recursive', false),
      }),
    ),
};

const done = (work: Promise<void>): Promise<object> => work.then(() => ({}));

function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw invalidInput(`missing field \`${name}\``);
  return value;
}

const path = (params: Params, name = 'path') => parsePathArgument(text(params, name)).native;

function flag(params: Params, name: string, fallback: boolean): boolean {
  const value = params[name];
  return typeof value === 'boolean' ? value : fallback;
}

const follow = (params: Params) => ({ followSymlinks: flag(params, 'followSymlinks', true) });
