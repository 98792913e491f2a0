// What ran when: a lane for each agent, idle times folded. A click opens the process.

import { computed, useSignal } from '@preact/signals';
import { type FoldedScale, foldIdle } from '../model/fold-idle.js';
import type { ProcessRow } from '../model/process-row.js';
import { formatClock, formatDuration } from '../text/format.js';
import { safeText } from '../text/safe-text.js';
import { now, world } from './context.js';
import { markOf, stateText } from './parts.js';
import { go, route } from './route.js';

const MAX_BARS = 400;
const MAX_LANES = 6;
const ROWS_PER_LANE = 3;
const FOLD_SHARE = 0.04;

interface Bar {
  readonly row: ProcessRow;
  readonly left: number;
  readonly width: number;
  readonly level: number;
}

interface Lane {
  readonly name: string;
  readonly session: string;
  readonly bars: readonly Bar[];
  readonly levels: number;
}

/** Drawn anew twice a second at most, however much happens. */
const drawn = computed(() => {
  void now.value;
  return layOut(
    [...world.processes.peek().values()].map((process) => process.peek()),
    Date.now(),
  );
});

function layOut(all: readonly ProcessRow[], nowMs: number) {
  const rows = all.slice(-MAX_BARS);
  const spans = rows.map((row) => ({ fromMs: row.startedAtMs, toMs: row.endedAtMs ?? nowMs }));
  const busyMs = spans.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
  const scale = foldIdle(spans, Math.max(500, busyMs * FOLD_SHARE));
  const lanes = new Map<string, ProcessRow[]>();
  for (const row of rows) lanes.set(row.session, [...(lanes.get(row.session) ?? []), row]);
  const shown = [...lanes].slice(-MAX_LANES).map(([session, processes]): Lane => {
    const bars = stack(processes, scale, nowMs);
    return {
      session,
      name: safeText(world.sessions.peek().get(session)?.clientName ?? session.slice(0, 8)),
      bars,
      levels: 1 + Math.max(...bars.map(({ level }) => level)),
    };
  });
  const first = spans.length === 0 ? nowMs : Math.min(...spans.map(({ fromMs }) => fromMs));
  return {
    lanes: shown,
    folds: scale.folds,
    firstMs: first,
    lastMs: nowMs,
    hidden: all.length - rows.length,
  };
}

function stack(rows: readonly ProcessRow[], scale: FoldedScale, nowMs: number): Bar[] {
  const ends: number[] = [];
  return rows.map((row) => {
    const left = scale.position(row.startedAtMs);
    const width = Math.max(0.006, scale.position(row.endedAtMs ?? nowMs) - left);
    let level = ends.findIndex((end) => end <= left);
    if (level === -1) level = ends.length < ROWS_PER_LANE ? ends.length : ends.indexOf(Math.min(...ends));
    ends[level] = left + width;
    return { row, left, width, level };
  });
}

export function Timeline() {
  const { lanes, folds, firstMs, lastMs, hidden } = drawn.value;
  const isOpen = useSignal(true);
  const current = route.value;
  // Beside one session the others are only in the way of what is looked at.
  const only = current.page === 'process' || current.page === 'session' ? current.session : undefined;
  const shown = lanes.filter(({ session }) => only === undefined || session === only);
  if (shown.length === 0) return null;
  return (
    <section class="timeline" aria-label="Timeline">
      <header class="timeline-head">
        <button
          type="button"
          class="fold-button"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? '▾' : '▸'} Timeline
        </button>
        <span class="timeline-range">
          {formatClock(firstMs)} – {formatClock(lastMs)}
          {hidden > 0 ? ` · the last ${MAX_BARS} of ${(hidden + MAX_BARS).toLocaleString('en')}` : ''}
        </span>
      </header>
      {isOpen.value && (
        <div class="lanes">
          {shown.map((lane) => (
            <div class="lane" key={lane.session}>
              <span class="lane-name" title={lane.name}>
                {lane.name}
              </span>
              <div class="lane-track" style={{ height: `${lane.levels * 19}px` }}>
                {folds.map((fold) => (
                  <span
                    key={fold.at}
                    class="fold"
                    style={{ left: `${fold.at * 100}%`, width: `${fold.width * 100}%` }}
                    title={`idle for ${formatDuration(fold.idleMs)}`}
                  />
                ))}
                {lane.bars.map(({ row, left, width, level }) => {
                  const isSelected =
                    current.page === 'process' &&
                    current.processId === row.processId &&
                    current.session === row.session;
                  return (
                    <button
                      key={row.key}
                      type="button"
                      class={`bar bar-${markOf(row)} ${isSelected ? 'bar-selected' : ''}`}
                      style={{ left: `${left * 100}%`, width: `${width * 100}%`, top: `${level * 19}px` }}
                      title={`${row.title}\n${stateText(row)}`}
                      aria-label={`${row.title}, ${stateText(row)}`}
                      onClick={() =>
                        go({
                          page: 'process',
                          session: row.session,
                          processId: row.processId,
                          tab: 'terminal',
                        })
                      }
                    >
                      {width > 0.03 ? row.title.slice(0, 80) : ''}
                    </button>
                  );
                })}
              </div>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
