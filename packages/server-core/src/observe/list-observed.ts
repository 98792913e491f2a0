// The processes of many sessions in one reply, with what looks like a secret masked.
import type { ObservedProcess, ObserveProcessesResult } from '@codex/exec-protocol';
import { maskedCommand } from '../journal/mask-secrets.js';
import { listProcesses } from '../process/read/process-list.js';
import type { Session } from '../session/session.js';
import type { PastProcess } from './past/past-process.js';

/** `past`: processes that the server has let go of; they come first, as they are the oldest. */
export function listObserved(
  sessions: readonly Session[],
  past: readonly { readonly process: PastProcess; readonly identity: string }[],
): ObserveProcessesResult {
  const processes = sessions.flatMap((session) => session.processes.list());
  // The newest are kept where not all fit, whichever session they are of.
  processes.sort(
    (a, b) => (a.startedAtMs ?? Number.MAX_SAFE_INTEGER) - (b.startedAtMs ?? Number.MAX_SAFE_INTEGER),
  );
  const summaries = listProcesses(processes, HANDLE_BYTES);
  const shown = processes.slice(processes.length - summaries.length);
  const listedPast = newestPast(past);
  return {
    processes: [
      ...listedPast,
      ...summaries.map((summary, index) => ({
        session: shown[index]?.session ?? '',
        process: { ...summary, argv: maskedCommand(summary.argv) },
      })),
    ],
    omitted: processes.length - shown.length + past.length - listedPast.length,
  };
}

/** What is left of a reply beside a full list of those that are there. */
const MAX_PAST_BYTES = 256 * 1024;

function newestPast(past: Parameters<typeof listObserved>[1]): ObservedProcess[] {
  const listed: ObservedProcess[] = [];
  let bytes = 0;
  for (const { process, identity } of past.toReversed()) {
    const { session, clientName, summary } = process;
    const one = { session, process: summary, past: { clientName, identity } };
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > MAX_PAST_BYTES) break;
    listed.push(one);
  }
  return listed.reverse();
}

/** `{"session":"s-…","process":}` around each. */
const HANDLE_BYTES = 48;
