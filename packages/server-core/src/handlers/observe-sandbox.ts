// `sandbox/explain` and the files of observers: what the policy of a process says, and what it lets be read.
import { type FileSystem, type FileSystems, parsePathArgument, toRpcError } from '@codex/exec-files';
import { notPermitted, observedFileResult, type ParamsOf } from '@codex/exec-protocol';
import { explainSandbox } from '../observe/explain/explain-sandbox.js';
import type { Observation } from '../observe/observation.js';
import type { ObserverContext, ObserverHandlers } from './handler-table.js';

export interface ObserveSandboxOptions {
  readonly observation: Observation;
  readonly files: FileSystems;
  readonly maxDirectoryEntries: number;
  /** What a policy's `tmpdir` means on this server. */
  readonly tmpdir: string | undefined;
}

const MAX_READ_BYTES = 1024 * 1024;

export function observeSandboxHandlers(options: ObserveSandboxOptions): ObserverHandlers {
  const { observation, tmpdir, maxDirectoryEntries } = options;
  return {
    'sandbox/explain': async (params, { observer }) => {
      const { process } = observation.processOrPast(observer, params, 'denials');
      const library = await import('@codex/sandbox');
      const request = {
        sandbox: process.request.sandbox,
        sandboxType: process.sandboxType,
        cwd: process.request.cwd,
        tmpdir,
        denial: process.exit?.denial,
        path: params.path ?? null,
        whatIf: params.whatIf ?? null,
      };
      // Behind an await it has left the turn in which it was asked.
      return observation.pacer.run(() => explainSandbox(library, request));
    },
    'observe/readDirectory': async (params, context) => {
      const path = parsePathArgument(params.path).native;
      const files = await filesUnderPolicy(options, params, context);
      return { entries: [...(await files.readDirectory(path, maxDirectoryEntries).catch(rethrow))] };
    },
    'observe/readFile': async (params, context) => {
      const path = parsePathArgument(params.path).native;
      const files = await filesUnderPolicy(options, params, context);
      const length = Math.max(1, Math.min(params.maxBytes ?? MAX_READ_BYTES, MAX_READ_BYTES));
      try {
        const { size } = await files.getMetadata(path, {});
        const file = await files.open(path, 'read');
        try {
          const { bytes, eof } = await file.read(params.offset ?? 0, length);
          return observedFileResult(bytes, { size, eof });
        } finally {
          await file.close();
        }
      } catch (error) {
        return rethrow(error);
      }
    },
  };
}

/**
 * What serves the request runs in the sandbox of the process and belongs to the observer, so that it takes no place of the
 * session's. Without a policy there is nothing that bounds it: only who could open a session and read anyway may.
 */
async function filesUnderPolicy(
  { observation, files }: ObserveSandboxOptions,
  params: ParamsOf<'observe/readDirectory'>,
  { observer, connection }: ObserverContext,
): Promise<FileSystem> {
  const { identity, process } = observation.processOrPast(observer, params, 'files');
  const owner = connection.slice(FILE_OWNER);
  const chosen = await files.choose(owner, process.request.sandbox as Parameters<FileSystems['choose']>[1]);
  const mayOpenSession = observer.access.admitted.grants.includes('own');
  if (chosen === files.local && !(mayOpenSession && identity === observer.access.identity)) {
    throw notPermitted(
      'no policy restricts the files of this process, so that they are not shown to observers',
    );
  }
  return chosen;
}

const FILE_OWNER = {
  create: ({ signal }: { readonly signal: AbortSignal }) => ({ endSignal: signal }),
};

function rethrow(error: unknown): never {
  throw toRpcError(error);
}
