// A session's process table over scripted processes, a manual clock and a recording client.
import { type Logger, silentLogger } from '../src/logger.js';
import { ProcessHost } from '../src/process/process-host.js';
import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from '../src/process/process-limits.js';
import { ProcessTable } from '../src/process/process-table.js';
import type { ProcessSandbox } from '../src/process/start/sandbox/process-sandbox.js';
import { startProcess } from '../src/process/start/start-process.js';
import type { StartRequest } from '../src/process/start/start-request.js';
import { ManualClock } from './manual-clock.js';
import { RecordingPeer } from './recording-peer.js';
import { ScriptedLauncher } from './scripted-launcher.js';

export function setUpTable(
  limits: Partial<ProcessLimits> = {},
  sandbox?: ProcessSandbox,
  logger: Logger = silentLogger,
) {
  const clock = new ManualClock();
  const launcher = new ScriptedLauncher();
  const process = { ...DEFAULT_PROCESS_LIMITS, ...limits };
  const host = new ProcessHost({
    process,
    clock,
    logger,
    launcher,
    ...(sandbox && { sandbox }),
  });
  const table = new ProcessTable(host);
  const peer = new RecordingPeer();
  table.attach({ peer: peer.asPeer, lifecycleNotifications: true });
  const start = async (processId: string, more: Partial<StartRequest> = {}) => {
    const started = await startProcess(table, requestOf(processId, more));
    table.announce(started.process);
    return started.process;
  };
  return { clock, launcher, host, table, peer, start };
}

export function requestOf(processId: string, more: Partial<StartRequest> = {}): StartRequest {
  const io = { type: 'pipe', stdin: 'open' } as const;
  return {
    processId,
    argv: ['a'],
    cwd: '/',
    cwdText: '/',
    env: {},
    io,
    sandbox: null,
    preparedSandbox: 'none',
    ...more,
  };
}
