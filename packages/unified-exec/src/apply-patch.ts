// A patch for files: under the same approvals and the same sandbox as commands, and without a process. Everything is worked out
// before anything is written. What the sandbox denies may be asked about once, with no file changed meanwhile; a yes is for the
// whole patch, which is then worked out anew.
//
// It does not stop a file from being changed by others between the look and the write.

import type { Admission } from './execution/approved-attempts.js';
import type { CommandRequest } from './execution/command-request.js';
import { type FilePatch, parsePatch } from './patch/parse-patch.js';
import { type FileChange, planPatch } from './patch/plan-patch.js';
import { readTextFile } from './patch/read-text-file.js';
import { reasonOf } from './patch/reason-of.js';
import { WriteFailure, writeChanges } from './patch/write-changes.js';
import { aborted, ToolFailure } from './tool-error.js';
import { patchOutput, type ToolOutput } from './tool-output.js';
import type { ToolState } from './tool-state.js';

export async function applyPatch(
  state: ToolState,
  request: CommandRequest,
  { patch, cwd }: { readonly patch: string; readonly cwd: string },
): Promise<ToolOutput> {
  const { files, environmentId } = parsePatch(patch);
  refuseOtherEnvironment(state, environmentId);
  if (files.length === 0) throw rejected('empty patch', 'Name the files and their changes.');
  const startedAt = performance.now();
  const admission = await asPatch(state.attempts.admit(request));
  let changes: readonly FileChange[];
  try {
    changes = await appliedOrAsked({ state, request, files, cwd, admission });
  } catch (error) {
    throw error instanceof WriteFailure ? failed(error, state) : error;
  }
  const told = changes.map(({ kind, path }) => ({ kind, path }));
  state.hub.push({ type: 'patched', callId: request.callId, cwd, changes: told });
  return patchOutput(told, performance.now() - startedAt, state.profile);
}

interface Attempt {
  readonly state: ToolState;
  readonly request: CommandRequest;
  readonly files: readonly FilePatch[];
  readonly cwd: string;
  readonly admission: Admission;
}

/** Nothing of what was denied is written while somebody thinks about it. */
async function appliedOrAsked(attempt: Attempt): Promise<readonly FileChange[]> {
  const { state, request, admission } = attempt;
  try {
    return await applied(attempt);
  } catch (error) {
    const isDenied = error instanceof WriteFailure && error.isDenied && error.left.length === 0;
    if (!isDenied || admission.isOut) throw error;
    if (!state.attempts.offersRetry) throw outside(state);
    const letOut = state.attempts.letOut(request, reasonOf(error.cause));
    return applied({ ...attempt, admission: await asPatch(letOut) });
  }
}

async function applied({ state, request, files, cwd, admission }: Attempt): Promise<FileChange[]> {
  const { fs } = state.client;
  const { sandbox } = admission;
  const { signal } = request;
  const options = { signal, ...(sandbox === undefined ? {} : { sandbox }) };
  const changes = await planPatch(files, {
    cwd,
    read: (path) => readTextFile(fs, path, options),
    locate: (path) => fs.realpath(path, options).catch(() => path),
  });
  if (signal.aborted) throw aborted('exec_command');
  await writeChanges(changes, { client: state.client, sandbox });
  return changes;
}

/** Inside a command, Codex overlooks it. */
function refuseOtherEnvironment({ profile, place }: ToolState, id: string | undefined): void {
  if (profile.isCodex || id === undefined || id === place.environmentId) return;
  throw rejected(`unknown turn environment id \`${id}\``, 'Leave out `*** Environment ID`.');
}

function failed({ message, cause, path, left }: WriteFailure, { profile }: ToolState): ToolFailure {
  const changed = left.filter((name) => name !== path);
  const what = [
    ...(left.length === 0 ? ['nothing was changed'] : []),
    ...(changed.length === 0 ? [] : [`changed and not put back: ${changed.join(', ')}`]),
    ...(left.includes(path) ? [`perhaps changed: ${path}`] : []),
  ];
  const sentence = profile.isCodex
    ? `Exit code: 1\nWall time: 0 seconds\nOutput:\n${message}\n`
    : `apply_patch failed: ${reasonOf(cause)}; ${what.join('; ')}`;
  return new ToolFailure('tool.patch', sentence, {
    hint: left.length === 0 ? 'Change the patch.' : 'Look at the files before you try again.',
    cause,
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
