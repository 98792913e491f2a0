// Agents and what they run: one tree, sessions with their processes below them, newest first.

import { computed, type Signal } from '@preact/signals';
import type { ProcessRow } from '../model/process-row.js';
import type { SessionRow } from '../model/world.js';
import { formatDuration } from '../text/format.js';
import { safeText } from '../text/safe-text.js';
import { link, now, searchText, world } from './context.js';
import { Command, MarkSign, markOf, stateText, Took } from './parts.js';
import { go, route } from './route.js';
import { VirtualList } from './virtual-list.js';
import { walkTree } from './walk-tree.js';

type TreeItem =
  | { readonly kind: 'session'; readonly session: SessionRow; readonly count: number }
  | { readonly kind: 'process'; readonly process: Signal<ProcessRow> };

const closedSessions = new Set<string>();

const STATE_ORDER: Readonly<Record<SessionRow['state'], number>> = {
  attached: 0,
  away: 1,
  ending: 2,
  ended: 3,
};

/** The tree in the order of the screen: also what `j` and `k` walk over. */
export const treeItems = computed((): readonly TreeItem[] => {
  void world.pulse.value;
  const wanted = searchText.value.trim().toLowerCase();
  const bySession = new Map<string, Signal<ProcessRow>[]>();
  for (const process of world.processes.peek().values()) {
    const row = process.peek();
    if (wanted !== '' && !matches(row, wanted)) continue;
    const list = bySession.get(row.session);
    if (list === undefined) bySession.set(row.session, [process]);
    else list.push(process);
  }
  const sessions = [...world.sessions.peek().values()].sort(
    (a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || b.openedAtMs - a.openedAtMs,
  );
  return sessions.flatMap((session): TreeItem[] => {
    const processes = bySession.get(session.session) ?? [];
    if (processes.length === 0 && (wanted !== '' || session.state === 'ended')) return [];
    const head: TreeItem = { kind: 'session', session, count: processes.length };
    if (closedSessions.has(session.session)) return [head];
    return [head, ...processes.reverse().map((process): TreeItem => ({ kind: 'process', process }))];
  });
});

function matches(row: ProcessRow, wanted: string): boolean {
  return `${row.title} ${row.cwd} ${row.processId} ${row.toolCall ?? ''} ${stateText(row)}`
    .toLowerCase()
    .includes(wanted);
}

export function selectBy(step: 1 | -1): void {
  const items = treeItems.peek().flatMap((item) => (item.kind === 'process' ? [item.process.peek()] : []));
  const current = route.peek();
  const at =
    current.page === 'process'
      ? items.findIndex((row) => row.session === current.session && row.processId === current.processId)
      : step === 1
        ? -1
        : items.length;
  const next = items[at + step];
  if (next !== undefined)
    go({ page: 'process', session: next.session, processId: next.processId, tab: 'terminal' });
}

const ROW_HEIGHT = 46;

function NoItems() {
  if (searchText.value !== '') return <p class="hint-block">Nothing fits the search.</p>;
  if (link.state.value !== 'open') return null;
  return <p class="hint-block">No agent is connected, and none was since the server started.</p>;
}

export function Tree() {
  const items = treeItems.value;
  const current = route.value;
  const focusIndex =
    current.page !== 'process'
      ? undefined
      : items.findIndex(
          (item) =>
            item.kind === 'process' &&
            item.process.peek().session === current.session &&
            item.process.peek().processId === current.processId,
        );
  if (items.length === 0) return <NoItems />;
  const fold = (session: string): void => {
    if (!closedSessions.delete(session)) closedSessions.add(session);
    world.pulse.value++;
  };
  return (
    <VirtualList
      count={items.length}
      rowHeight={ROW_HEIGHT}
      label="Agents and processes"
      role="tree"
      focusIndex={focusIndex}
      focusKey={current.page === 'process' ? `${current.session}/${current.processId}` : undefined}
      onKeyDown={walkTree}
      row={(index) => {
        const item = items[index];
        if (item === undefined) return <div key={index} />;
        return item.kind === 'session' ? (
          <SessionItem key={item.session.session} item={item} onFold={() => fold(item.session.session)} />
        ) : (
          <ProcessItem key={item.process.peek().key} process={item.process} />
        );
      }}
    />
  );
}

function SessionItem({
  item,
  onFold,
}: {
  readonly item: Extract<TreeItem, { kind: 'session' }>;
  readonly onFold: () => void;
}) {
  const { session, count } = item;
  const isOpen = !closedSessions.has(session.session);
  const left = (session.expiresAtMs ?? 0) - (session.state === 'away' ? now.value : 0);
  const state =
    session.state === 'away'
      ? `away, ${formatDuration(left)} left`
      : session.state === 'attached'
        ? ''
        : session.state;
  const current = route.value;
  const isSelected = current.page === 'session' && current.session === session.session;
  const name = safeText(session.clientName) || 'client';
  const open = (): void => go({ page: 'session', session: session.session });
  return (
    <div
      class={`session-item session-${session.state}`}
      role="treeitem"
      aria-level={1}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      aria-label={`${name}, ${session.state}, ${count} processes`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === (isOpen ? 'ArrowLeft' : 'ArrowRight')) onFold();
        else if (event.key === 'Enter' && event.target === event.currentTarget) open();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        class="fold-arrow"
        aria-label={isOpen ? `Fold ${name}` : `Unfold ${name}`}
        onClick={onFold}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      <button type="button" tabIndex={-1} class="session-open" onClick={open}>
        <span class="session-line">
          <span class={`session-dot session-dot-${session.state}`} aria-hidden="true" />
          <span class="session-name">{name}</span>
        </span>
        <span class="session-identity">
          {safeText(session.identity)}
          {state === '' ? '' : <span class="session-state"> · {state}</span>}
        </span>
      </button>
      <span class="count" title={`${count} processes`}>
        {count.toLocaleString('en')}
      </span>
    </div>
  );
}

function ProcessItem({ process }: { readonly process: Signal<ProcessRow> }) {
  const row = process.value;
  const current = route.value;
  const isSelected =
    current.page === 'process' && current.session === row.session && current.processId === row.processId;
  const open = (): void =>
    go({ page: 'process', session: row.session, processId: row.processId, tab: 'terminal' });
  return (
    <div
      class="process-item"
      role="treeitem"
      aria-level={2}
      aria-selected={isSelected}
      aria-label={`${row.title}, ${stateText(row)}`}
      tabIndex={-1}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
      }}
    >
      <MarkSign mark={markOf(row)} text={stateText(row)} />
      <span class="process-title">
        <Command text={row.title.slice(0, 200)} />
      </span>
      <span class="process-facts">
        <Took process={row} /> · {stateText(row)}
        {row.tty ? ' · pty' : ''}
        {row.sandboxType === 'none' ? '' : ' · sandbox'}
      </span>
    </div>
  );
}
