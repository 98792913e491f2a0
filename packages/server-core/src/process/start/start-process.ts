// `process/start`: reserve the id, launch, and give the id back when that fails.
import { sandboxNotEnforceable } from '@codex/exec-protocol';
import type { LaunchSpec } from '@codex/launcher';
import type { ManagedProcess } from '../managed-process.js';
import type { ProcessHost } from '../process-host.js';
import type { ProcessTable } from '../process-table.js';
import type { SandboxedLaunch, SandboxType } from './process-sandbox.js';
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
    const { sandboxType } = await process.launch((unwanted) =>
      earlierChanges === undefined
        ? prepare(table, request, unwanted)
        : earlierChanges.then(() => prepare(table, request, unwanted)),
    );
    return { process, sandboxType };
  } catch (error) {
    const refusal = startError(error, request);
    const { cwd, argv } = request;
    table.host.logger.info('a process could not be started', {
      reason: refusal.message,
      program: argv[0],
      cwd,
    });
    throw refusal;
  }
}

/** The listener asks whether anything sandboxed is alive before it looks where a connection comes from. */
function counted(host: ProcessHost, launch: SandboxedLaunch): SandboxedLaunch {
  if (launch.sandboxType === 'none') return launch;
  host.sandboxedProcesses++;
  return {
    ...launch,
    dispose: () => {
      host.sandboxedProcesses--;
      return launch.dispose?.();
    },
  };
}

function prepare(
  table: ProcessTable,
  request: StartRequest,
  unwanted: AbortSignal,
): SandboxedLaunch | Promise<SandboxedLaunch> {
  const spec = launchSpecOf(request);
  const { shellSnapshot, sandbox } = request;
  if (shellSnapshot === undefined) return enclose(table.host, spec, request);
  const inSandbox = (one: LaunchSpec) => enclose(table.host, one, request);
  return table.shellSnapshots
    .apply(spec, { request: shellSnapshot, sandbox, prepare: inSandbox, signal: unwanted })
    .then(inSandbox);
}

function enclose(
  host: ProcessHost,
  spec: LaunchSpec,
  request: StartRequest,
): SandboxedLaunch | Promise<SandboxedLaunch> {
  const { sandbox } = host;
  if (request.sandbox === null) {
    const sandboxType = request.preparedSandbox;
    if (sandboxType === 'none' || sandbox === undefined) return { spec, sandboxType };
    return counted(host, { spec, sandboxType, classifyExit: sandbox.judgeForeign(sandboxType) });
  }
  if (sandbox === undefined) throw sandboxNotEnforceable();
  return sandbox.prepare({ spec, sandbox: request.sandbox }).then((launch) => counted(host, launch));
}
