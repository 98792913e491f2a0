// A patch for files: under the same approvals and the same sandbox as commands, and without a process. Everything is worked out
// before anything is written. What the sandbox denies may be asked about once; a yes is for the whole patch.
//
// It does not stop a file from being changed by others between the look and the write.

import { ExecServerError, type SandboxOption } from '@codex/exec-client';
import type { CommandRequest } from './execution/command-request.js';
import { parsePatch } from './patch/parse-patch.js';
import { type FileChange, planPatch, reasonOf } from './patch/plan-patch.js';
import { readTextFile } from './patch/read-text-file.js';
import { aborted, ToolFailure } from './tool-error.js';
import { patchOutput, type ToolOutput } from './tool-output.js';
import type { ToolState } from './tool-state.js';

type Admission = Awaited<ReturnType<ToolState['attempts']['admit']>>;

export async function applyPatch(
  state: ToolState,
  request: CommandRequest,
  { patch, cwd }: { readonly patch: string; readonly cwd: string },
): Promise<ToolOutput> {
  const files = parsePatch(patch);
  if (files.length === 0) throw rejected('empty patch', 'Name the files and their changes.');
  const startedAt = performance.now();
  const admission = await asPatch(state.attempts.admit(request));
  const { fs } = state.client;
  const { signal } = request;
  const read = (path: string): Promise<string> => readTextFile(fs, path, { signal, ...sandboxOf(admission) });
  const changes = await planPatch(files, { cwd, read });
  if (signal.aborted) throw aborted('exec_command');
  await writeChanges(state, request, { changes, admission });
  const told = changes.map(({ kind, path }) => ({ kind, path }));
  state.hub.push({ type: 'patched', callId: request.callId, cwd, changes: told });
  return patchOutput(told, performance.now() - startedAt, state.profile);
}

async function writeChanges(
  state: ToolState,
  request: CommandRequest,
  { changes, admission }: { readonly changes: readonly FileChange[]; readonly admission: Admission },
): Promise<void> {
  const { attempts, client } = state;
  let place = admission;
  for (let written = 0; written < changes.length; ) {
    const change = changes[written];
    if (change === undefined) return;
    try {
      await writeChange(client.fs, change, sandboxOf(place));
      written++;
    } catch (error) {
      const isDenied = ExecServerError.is(error, 'fs.denied') && !place.isOut;
      if (!isDenied) throw failed(error, changes.slice(0, written));
      if (!attempts.offersRetry) throw outside(state);
      place = await asPatch(attempts.letOut(request, reasonOf(error)));
    }
  }
}

async function writeChange(
  fs: ToolState['client']['fs'],
  { write, remove }: FileChange,
  options: { readonly sandbox?: SandboxOption },
): Promise<void> {
  if (write !== undefined) {
    const content = new TextEncoder().encode(write.content);
    await fs.write(write.path, content, { ...options, parents: true });
  }
  if (remove !== undefined) await fs.remove(remove, options);
}

function sandboxOf({ sandbox }: Admission): { readonly sandbox?: SandboxOption } {
  return sandbox === undefined ? {} : { sandbox };
}

function failed(error: unknown, written: readonly FileChange[]): ToolFailure {
  const names = written.map(({ path }) => path).join(', ');
  const what = names === '' ? 'nothing was written' : `written were only: ${names}`;
  return new ToolFailure('tool.patch', `apply_patch failed: ${reasonOf(error)}; ${what}`, {
    hint: 'Look at the files before you try again.',
    cause: error,
  });
}

/** A refusal is about a patch, not about a command. */
async function asPatch(admission: Promise<Admission>): Promise<Admission> {
  try {
    return await admission;
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code !== 'tool.rejected') throw error;
    const why = error.message.replace(/^exec_command failed: (?:rejected )?/, '');
    const message = why === 'by user' ? 'patch rejected by user' : `patch rejected: ${why}`;
    throw new ToolFailure('tool.rejected', message, { hint: error.hint, cause: error });
  }
}

function outside({ profile, attempts }: ToolState): ToolFailure {
  const where = attempts.hasWritableFiles
    ? 'writing outside of the project'
    : 'writing is blocked by read-only sandbox';
  const why = profile.isCodex ? 'rejected by user approval settings' : 'nobody may be asked';
  return rejected(`${where}; ${why}`, 'Change files that the sandbox lets you write.');
}

function rejected(why: string, hint: string): ToolFailure {
  return new ToolFailure('tool.patch', `patch rejected: ${why}`, { hint });
}
