// One agent's session: its life on one line, what it runs and ran, and what happened in it.

import { useComputed } from '@preact/signals';
import type { ProcessRow } from '../model/process-row.js';
import { type SessionLife, sessionLife } from '../model/session-life.js';
import type { SessionRow } from '../model/world.js';
import { formatClock, formatDuration, plural } from '../text/format.js';
import { safeText } from '../text/safe-text.js';
import { link, now, world } from './context.js';
import { EventList } from './journal-view.js';
import { Command, Empty, MarkSign, markOf, stateText, Took } from './parts.js';
import { go } from './route.js';
import { VirtualList } from './virtual-list.js';

const ROW_HEIGHT = 34;

export function SessionPage({ handle }: { readonly handle: string }) {
  const rows = useComputed(() => {
    void world.pulse.value;
    return [...world.processes.peek().values()]
      .map((process) => process.peek())
      .filter(({ session }) => session === handle)
      .reverse();
  });
  const session = world.sessions.value.get(handle);
  if (session === undefined) {
    if (link.state.value !== 'open') return <Empty title="Connecting …" />;
    return (
      <Empty title="This session is not known here">
        <p>The server no longer remembers it, or this console may not see it.</p>
      </Empty>
    );
  }
  const life = sessionLife(world.events.value, session, now.value);
  const name = safeText(session.clientName) || 'client';
  return (
    <article class="session-page" aria-label={`Session of ${name}`}>
      <header class="session-head">
        <button type="button" class="back-button" onClick={() => go({ page: 'overview' })}>
          ‹ All
        </button>
        <span class={`session-dot session-dot-${session.state}`} aria-hidden="true" />
        <h1>{name}</h1>
        <span class="hint">
          {safeText(session.identity)} · session {session.session}
        </span>
      </header>
      <p
        class={`quiet quiet-${session.state === 'away' ? 'waiting' : session.state === 'attached' ? 'busy' : 'over'}`}
        role="status"
      >
        {stateSentence(session, life, now.value)}
      </p>
      <LifeLine life={life} nowMs={now.value} />
      <h2>
        {plural(rows.value.length, 'process', 'processes')}
        <Counts rows={rows.value} />
      </h2>
      {rows.value.length === 0 ? (
        <p class="hint">It has started nothing yet.</p>
      ) : (
        <div class="session-processes" style={{ flexBasis: `${rows.value.length * ROW_HEIGHT + 2}px` }}>
          <VirtualList
            count={rows.value.length}
            rowHeight={ROW_HEIGHT}
            label="Processes of this session"
            row={(index) => <Row key={rows.value[index]?.key ?? index} row={rows.value[index]} />}
          />
        </div>
      )}
      <h2>What happened</h2>
      <EventList of={{ session: handle }} isBrief />
    </article>
  );
}

function stateSentence(session: SessionRow, { segments, endedAtMs }: SessionLife, nowMs: number): string {
  const cuts = segments.filter(({ state }) => state === 'away').length;
  const times = cuts === 0 ? 'without a cut' : `its connection was lost ${plural(cuts, 'time')}`;
  const since = formatDuration(nowMs - session.openedAtMs);
  switch (session.state) {
    case 'attached':
      return `Its client is here, for ${since} now, ${times}.`;
    case 'away':
      return `Its client is away; the session waits for it another ${formatDuration((session.expiresAtMs ?? nowMs) - nowMs)}.`;
    case 'ending':
      return 'It ends with the server.';
    case 'ended':
      return `It is over, after ${formatDuration((endedAtMs ?? session.sinceMs) - session.openedAtMs)}, ${times}.`;
  }
}

function LifeLine({
  life: { segments, endedAtMs },
  nowMs,
}: {
  readonly life: SessionLife;
  readonly nowMs: number;
}) {
  const from = segments[0]?.fromMs ?? nowMs;
  const to = segments.at(-1)?.toMs ?? nowMs;
  return (
    <figure class="life" aria-label="Life of the session">
      <div class="life-track">
        {segments.map((segment) => {
          const ms = segment.toMs - segment.fromMs;
          const what = segment.state === 'away' ? 'away' : segment.isTakenOver ? 'taken over' : 'attached';
          return (
            <span
              key={segment.fromMs}
              class={`life-part life-${segment.state}`}
              style={{ flexGrow: Math.max(ms, (to - from) / 40, 1) }}
              title={`${what} from ${formatClock(segment.fromMs)} to ${formatClock(segment.toMs)}, ${formatDuration(ms)}`}
            >
              {what} {formatDuration(ms)}
            </span>
          );
        })}
      </div>
      <figcaption>
        <span>{formatClock(from)}</span>
        <span>{endedAtMs === undefined ? 'now' : formatClock(endedAtMs)}</span>
      </figcaption>
    </figure>
  );
}

function Counts({ rows }: { readonly rows: readonly ProcessRow[] }) {
  const count = (is: (row: ProcessRow) => boolean): number => rows.filter(is).length;
  const facts: readonly (readonly [number, string, string])[] = [
    [count(({ state }) => state === 'running' || state === 'starting'), 'running', 'run'],
    [count((row) => markOf(row) === 'bad'), 'failed', 'bad'],
    [count(({ denied }) => denied), 'denied', 'warn'],
  ];
  return (
    <span class="counts">
      {facts.map(([value, text, tone]) =>
        value === 0 ? null : (
          <span key={text} class={`badge badge-${tone}`}>
            {value} {text}
          </span>
        ),
      )}
    </span>
  );
}

function Row({ row }: { readonly row: ProcessRow | undefined }) {
  if (row === undefined) return <div />;
  return (
    <button
      type="button"
      class="session-row"
      onClick={() => go({ page: 'process', session: row.session, processId: row.processId, tab: 'terminal' })}
    >
      <MarkSign mark={markOf(row)} text={stateText(row)} />
      <Command text={row.title.slice(0, 200)} isInert />
      <span class="session-row-facts">
        {stateText(row)} · <Took process={row} />
      </span>
      <span class="session-row-clock">{formatClock(row.startedAtMs)}</span>
    </button>
  );
}
