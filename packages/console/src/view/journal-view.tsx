// The journal as sentences, of everything or of one process.

import type { JournalEvent } from '@codex/exec-protocol';
import { useSignal } from '@preact/signals';
import { eventText, isDetail } from '../model/event-sentence.js';
import { formatMoment, plural } from '../text/format.js';
import { safeText } from '../text/safe-text.js';
import { world } from './context.js';
import { Icon } from './icons.js';
import { download, FilterField } from './parts.js';
import { go } from './route.js';
import { VirtualList } from './virtual-list.js';

const ROW_HEIGHT = 24;
const TITLE_LENGTH = 80;

interface Of {
  readonly session: string;
  /** Without it, everything of the session. */
  readonly processId?: string;
}

function titleOf(event: JournalEvent): string {
  if (!('processId' in event)) return '';
  const title = world.process(event.session, event.processId)?.peek().title ?? safeText(event.processId);
  return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH)} …` : title;
}

export function EventList({ of, isBrief = false }: { readonly of?: Of; readonly isBrief?: boolean }) {
  const filter = useSignal('');
  void world.pulse.value;
  const wanted = filter.value.toLowerCase();
  const events = world.events
    .peek()
    .filter(
      (event) =>
        (of === undefined || isOf(event, of)) &&
        !(isBrief && isDetail(event)) &&
        (wanted === '' || `${event.kind} ${eventText(event, titleOf).text}`.toLowerCase().includes(wanted)),
    );
  return (
    <div class="event-list">
      <div class="terminal-tools">
        <FilterField filter={filter} label="Filter events" />
        <span class="hint">
          {plural(events.length, 'event')}
          {world.omittedEvents.value > 0 ? `; ${plural(world.omittedEvents.value, 'older one')} gone` : ''}
        </span>
        <button
          type="button"
          class="quiet-button"
          onClick={() => download('journal.ndjson', 'application/x-ndjson', lines(events))}
        >
          <Icon name="download" /> ndjson
        </button>
      </div>
      <VirtualList
        count={events.length}
        rowHeight={ROW_HEIGHT}
        label="Events"
        role="log"
        empty={wanted === '' ? 'Nothing has happened yet.' : 'No event fits the filter.'}
        followsEnd
        row={(index) => <EventRow key={events[index]?.seq ?? index} event={events[index]} />}
      />
    </div>
  );
}

function isOf(event: JournalEvent, { session, processId }: Of): boolean {
  if (!('session' in event) || event.session !== session) return false;
  return processId === undefined || ('processId' in event && event.processId === processId);
}

function* lines(events: readonly JournalEvent[]): Generator<string> {
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}

export function EventRow({ event }: { readonly event: JournalEvent | undefined }) {
  if (event === undefined) return <div />;
  const { tone, text } = eventText(event, titleOf);
  const client = 'session' in event ? world.sessions.value.get(event.session)?.clientName : undefined;
  const open = (): void => {
    if ('processId' in event)
      go({ page: 'process', session: event.session, processId: event.processId, tab: 'terminal' });
  };
  return (
    <div class={`event event-${tone}`}>
      <span class="event-moment">{formatMoment(event.atMs)}</span>
      <span class="event-client">{safeText(client ?? 'server')}</span>
      {'processId' in event ? (
        <button type="button" class="event-text" onClick={open}>
          {text}
        </button>
      ) : (
        <span class="event-text">{text}</span>
      )}
    </div>
  );
}
