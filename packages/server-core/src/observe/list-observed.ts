// The processes of many sessions in one reply, with what looks like a secret masked.
import type { ObserveProcessesResult } from '@codex/exec-protocol';
import { maskedCommand } from '../journal/mask-secrets.js';
import { listProcesses } from '../process/read/process-list.js';
import type { Session } from '../session/session.js';

export function listObserved(sessions: readonly Session[]): ObserveProcessesResult {
  const processes = sessions.flatMap((session) => session.processes.list());
  // The newest are kept where not all fit, whichever session they are of.
  processes.sort(
    (a, b) => (a.startedAtMs ?? Number.MAX_SAFE_INTEGER) - (b.startedAtMs ?? Number.MAX_SAFE_INTEGER),
  );
  const summaries = listProcesses(processes, HANDLE_BYTES);
  const shown = processes.slice(processes.length - summaries.length);
  return {
    processes: summaries.map((summary, index) => ({
      session: shown[index]?.session ?? '',
      process: { ...summary, argv: maskedCommand(summary.argv) },
    })),
    omitted: processes.length - shown.length,
  };
}

/** `{"session":"s-…","process":}` around each. */
const HANDLE_BYTES = 48;
