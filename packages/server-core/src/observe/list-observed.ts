// The processes of many sessions in one reply, with what looks like a secret masked.
import type { ObservedProcess, ObserveProcessesResult } from '@codex/exec-protocol';
import { maskedCommand } from '../journal/mask-secrets.js';
import type { ManagedProcess } from '../process/managed-process.js';
import { listProcesses } from '../process/read/process-list.js';
import type { Session } from '../session/session.js';
import type { PastProcess } from './past/past-process.js';

export interface ListedSessions {
  readonly sessions: readonly Session[];
  /** Processes that the server has let go of; they come first, as they are the oldest. */
  readonly past: readonly { readonly process: PastProcess; readonly identity: string }[];
}

/** So many at a time: a list of ten thousand takes a tenth of a second, and owners do not wait for that. */
const SLICE = 200;

/** `inTurn` does a part of the work when it is its turn. */
export async function listObserved(
  { sessions, past }: ListedSessions,
  inTurn: (work: () => unknown) => Promise<void>,
): Promise<ObserveProcessesResult> {
  const processes = sessions.flatMap((session) => session.processes.list());
  // The newest are kept where not all fit, whichever session they are of.
  processes.sort(
    (a, b) => (a.startedAtMs ?? Number.MAX_SAFE_INTEGER) - (b.startedAtMs ?? Number.MAX_SAFE_INTEGER),
  );
  const slices: ObservedProcess[][] = [];
  for (let end = processes.length; end > 0; end -= SLICE) {
    const some = processes.slice(Math.max(0, end - SLICE), end);
    await inTurn(() => slices.push(listSlice(some, some.length / processes.length)));
    if ((slices.at(-1)?.length ?? 0) < some.length) break;
  }
  const shown = slices.reverse().flat();
  const listedPast = newestPast(past);
  return {
    processes: [...listedPast, ...shown],
    omitted: processes.length - shown.length + past.length - listedPast.length,
  };
}

function listSlice(processes: readonly ManagedProcess[], share: number): ObservedProcess[] {
  const summaries = listProcesses(processes, { aroundBytes: HANDLE_BYTES, share });
  const shown = processes.slice(processes.length - summaries.length);
  return summaries.map((summary, index) => ({
    session: shown[index]?.session ?? '',
    process: { ...summary, argv: maskedCommand(summary.argv) },
  }));
}

/** What is left of a reply beside a full list of those that are there. */
const MAX_PAST_BYTES = 256 * 1024;

function newestPast(past: ListedSessions['past']): ObservedProcess[] {
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
