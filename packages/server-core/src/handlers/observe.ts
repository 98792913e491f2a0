// `sessions/*`, `observe/*`, `journal/*`, `control/*` between the wire and what observes.
import {
  type Clock,
  decodeBase64,
  explainBase64,
  type Grant,
  invalidParams,
  METHODS,
  type ObserveOpenResult,
  observeReadResult,
} from '@codex/exec-protocol';
import { listObserved } from '../observe/list-observed.js';
import type { Observation } from '../observe/observation.js';
import { DEFAULT_READ_BYTES, readObserved } from '../observe/read-observed.js';
import { describeTree } from '../observe/tree/describe-tree.js';
import { TreeLooks } from '../observe/tree/tree-looks.js';
import type { WatchedProcess } from '../observe/watch/watch.js';
import { seqForTail } from '../observe/watch/watched-log.js';
import { describeProcess } from '../process/read/process-list.js';
import type { Session } from '../session/session.js';
import type { ObserverHandlers } from './handler-table.js';

const DEFAULT_WINDOW_BYTES = 512 * 1024;
const MAX_WATCH_NAME_LENGTH = 200;
const DEFAULT_EVENTS = 1000;
const LONGEST_WAIT_MS = 60_000;
const DONE = {};

/** What the table says that the method asks for. */
function grantOf(method: 'control/signal' | 'control/terminate' | 'control/write' | 'control/resize'): Grant {
  return METHODS[method].grant;
}

export function observeHandlers(observation: Observation, clock: Clock): ObserverHandlers {
  const { journal, limits } = observation;
  const trees = new TreeLooks({ clock, describe: describeTree });
  return {
    'sessions/list': (_, { observer }) => ({
      sessions: observation.visible(observer).map((session) => observation.describe(session)),
    }),
    'observe/processes': ({ session: handle }, { observer }) => {
      const past = observation.pastProcesses(observer, handle ?? null);
      // A session that is over is known for as long as something of it is shown.
      const isOver = handle != null && past.length > 0 && !observation.isThere(handle);
      const one = (): Session[] =>
        isOver || handle == null ? [] : [observation.session(observer, handle, 'observe')];
      const sessions = handle == null ? observation.visible(observer) : one();
      return listObserved({ sessions, past }, async (work) => void (await observation.pacer.run(work)));
    },
    'observe/tree': (params, { observer }) =>
      trees.look(observation.process(observer, params, 'observe').process),
    'observe/open': (params, { observer, afterReply }) => {
      if (params.watch === '' || params.watch.length > MAX_WATCH_NAME_LENGTH) {
        throw invalidParams(`watch must have 1 to ${MAX_WATCH_NAME_LENGTH} characters`);
      }
      const { process } = observation.processOrPast(observer, params, 'observe');
      const { log } = process.output;
      const asked = firstAsked(process, params);
      const fromSeq = Math.max(asked, log.firstSeq);
      const windowBytes = Math.min(params.windowBytes ?? DEFAULT_WINDOW_BYTES, limits.maxWatchWindowBytes);
      const watch = observer.open({
        name: params.watch,
        process,
        fromSeq,
        mode: params.mode ?? 'complete',
        windowBytes,
        onEnd: () => observation.watchersChanged(params.session),
      });
      observation.watchersChanged(params.session);
      afterReply(() => watch.start());
      const size = process.sizes.at(fromSeq);
      const omitted = log.omittedAfter(asked - 1);
      const result: ObserveOpenResult = {
        process: process.isPast ? process.summary : describeProcess(process),
        fromSeq,
        firstSeq: log.firstSeq,
        nextSeq: log.nextSeq,
        windowBytes,
        ...(size === undefined ? {} : { size }),
        ...(omitted === null ? {} : { omitted }),
      };
      return result;
    },
    'observe/close': ({ watch }, { observer }) => {
      observer.watch(watch)?.close();
      return DONE;
    },
    'observe/read': (params, { observer }) => {
      const { process } = observation.processOrPast(observer, params, 'observe');
      const { chunks, ...state } = readObserved(process, {
        afterSeq: params.afterSeq ?? 0,
        maxBytes: Math.min(params.maxBytes ?? DEFAULT_READ_BYTES, DEFAULT_READ_BYTES),
      });
      return observeReadResult(chunks, state);
    },
    'journal/read': ({ afterSeq, waitMs, maxEvents, session }, { observer }) => {
      if (session != null) observation.session(observer, session, 'observe');
      return observation.readJournal(observer, {
        afterSeq: afterSeq ?? 0,
        waitMs: Math.min(waitMs ?? 0, LONGEST_WAIT_MS),
        maxEvents: Math.max(1, Math.min(maxEvents ?? DEFAULT_EVENTS, DEFAULT_EVENTS)),
        session: session ?? null,
      });
    },
    'journal/subscribe': ({ afterSeq, session }, { observer, afterReply }) => {
      if (session != null) observation.session(observer, session, 'observe');
      const from = Math.min(afterSeq ?? journal.nextSeq - 1, journal.nextSeq - 1);
      afterReply(() => observer.subscribe(from, observation.isShown(observer, session)));
      return { nextSeq: from + 1 };
    },
    'journal/unsubscribe': (_, { observer }) => {
      observer.unsubscribe();
      return DONE;
    },
    'control/signal': (params, { observer }) => {
      const target = observation.process(observer, params, grantOf('control/signal'));
      observation.intervened(observer, target, 'signal', params.signal);
      target.process.signal(params.signal === 'interrupt' ? 'SIGINT' : params.signal);
      return DONE;
    },
    'control/terminate': (params, { observer }) => {
      const target = observation.process(observer, params, grantOf('control/terminate'));
      const mode = params.mode ?? { type: 'force' as const };
      observation.intervened(observer, target, 'terminate', mode.type);
      if (mode.type !== 'tree') return { running: target.process.terminate(mode) };
      return target.session.processes.endTree(params.processId).then((running) => ({ running }));
    },
    'control/write': async (params, { observer }) => {
      const target = observation.process(observer, params, grantOf('control/write'));
      const bytes = decodeBase64(params.chunk);
      if (bytes === undefined) throw invalidParams(explainBase64(params.chunk));
      observation.typed(observer, target, bytes.length);
      return { status: await target.process.write(bytes, params.writeId ?? null) };
    },
    'control/resize': (params, { observer }) => {
      const target = observation.process(observer, params, grantOf('control/resize'));
      observation.intervened(observer, target, 'resize', `${params.cols}x${params.rows}`);
      target.process.resize(params.rows, params.cols);
      return DONE;
    },
  };
}

/** The first event that is wanted: by number, by how much of the end, or all. */
function firstAsked(
  { output: { log } }: WatchedProcess,
  { fromSeq, tailBytes }: { fromSeq?: number | null; tailBytes?: number | null },
): number {
  if (fromSeq != null) return Math.min(Math.max(1, fromSeq), log.nextSeq);
  if (tailBytes == null) return 1;
  return tailBytes === 0 || log.nextSeq === log.firstSeq ? log.nextSeq : seqForTail(log, tailBytes);
}
