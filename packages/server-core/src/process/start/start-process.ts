// `process/start`, from the top: take the id, prepare, launch, adopt. Whatever fails on the way gives the id back.
import { sandboxNotEnforceable, startCancelled } from '@codex/exec-protocol';
import type { LaunchSpec } from '@codex/launcher';
import type { ManagedProcess } from '../managed-process.js';
import type { ProcessHost } from '../process-host.js';
import type { ProcessTable } from '../process-table.js';
import type { SandboxedLaunch, SandboxType } from './sandbox/process-sandbox.js';
import { startError } from './start-error.js';
import { launchSpecOf, type StartRequest } from './start-request.js';

export interface StartedProcess {
  readonly process: ManagedProcess;
  readonly sandboxType: SandboxType;
}

/** The id is taken when this returns; what the promise tells is how the launch went. */
export async function startProcess(
  table: ProcessTable,
  request: StartRequest,
  earlierChanges?: Promise<unknown>,
): Promise<StartedProcess> {
  // A start of the same id that is under way decides first: should it fail, this one has its turn.
  const earlier = table.get(request.processId);
  if (earlier?.isStarting) await earlier.started;
  const process = table.add(request);
  try {
    const sandboxType = await run(process, { table, request, earlierChanges });
    if (process.isAbandoned) throw startCancelled(process.id);
    table.journal.started(process, sandboxType);
    return { process, sandboxType };
  } catch (error) {
    const refusal = startError(error, request);
    table.journal.notStarted(request, refusal.message);
    throw refusal;
  }
}

interface Start {
  readonly table: ProcessTable;
  readonly request: StartRequest;
  readonly earlierChanges: Promise<unknown> | undefined;
}

async function run(process: ManagedProcess, start: Start): Promise<SandboxType> {
  let prepared: SandboxedLaunch | undefined;
  try {
    if (start.earlierChanges !== undefined) await start.earlierChanges;
    if (start.request.sandbox !== null) process.expectLaunch();
    const preparing = prepare(process, start);
    prepared = preparing instanceof Promise ? await preparing : preparing;
    let launched = await process.launch(prepared).catch((error: unknown) => {
      if (prepared?.isAhead !== true || process.isAbandoned) throw error;
    });
    if (launched === undefined) {
      await prepared.finish?.();
      prepared = undefined;
      prepared = await prepare(process, start, { ahead: false });
      launched = await process.launch(prepared);
    }
    process.adopt(launched, prepared);
    return prepared.sandboxType;
  } catch (error) {
    process.discard();
    await prepared?.finish?.();
    process.startFailed();
    throw error;
  }
}

/** With a shell snapshot the profile runs first, in the same sandbox; then the command is wrapped. */
function prepare(
  { unwanted, canLaunchAhead }: ManagedProcess,
  { table, request }: Start,
  { ahead = canLaunchAhead } = {},
): SandboxedLaunch | Promise<SandboxedLaunch> {
  const spec = launchSpecOf(request);
  const { shellSnapshot, sandbox } = request;
  const inSandbox = (one: LaunchSpec) => enclose(table.host, one, { request, ahead });
  if (shellSnapshot === undefined) return inSandbox(spec);
  const captureIn = (one: LaunchSpec) => enclose(table.host, one, { request, ahead: false });
  return table.shellSnapshots
    .apply(spec, { request: shellSnapshot, sandbox, prepare: captureIn, signal: unwanted })
    .then(inSandbox);
}

function enclose(
  host: ProcessHost,
  spec: LaunchSpec,
  { request, ahead }: { readonly request: StartRequest; readonly ahead: boolean },
): SandboxedLaunch | Promise<SandboxedLaunch> {
  const { sandbox } = host;
  if (request.sandbox === null) {
    const sandboxType = request.preparedSandbox;
    if (sandboxType === 'none' || sandbox === undefined) return { spec, sandboxType };
    return { spec, sandboxType, judgeExit: sandbox.judgeForeign(sandboxType) };
  }
  if (sandbox === undefined) throw sandboxNotEnforceable();
  return sandbox.prepare({ spec, sandbox: request.sandbox, ahead });
}
