// One process: what it is, why it is quiet, and its tabs.

import { useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ProcessRow } from '../../model/process-row.js';
import { ProcessWatch } from '../../model/process-watch.js';
import { whyQuiet } from '../../model/quiet.js';
import { commandLine, safeText, sandboxName } from '../../text/safe-text.js';
import { dialog, link, now, world } from '../context.js';
import { EventList } from '../journal-view.js';
import { Command, CopyButton, Empty, MarkSign, markOf, stateText, Took } from '../parts.js';
import { go, type Route, TABS, type Tab } from '../route.js';
import { DenialCard } from './denial-card.js';
import { FilesTab } from './files-tab.js';
import { OutputTab } from './output-tab.js';
import { PolicyTab } from './policy-tab.js';
import { TerminalTab } from './terminal-tab.js';
import { TreeTab, useTree } from './tree-tab.js';

type ProcessRoute = Extract<Route, { page: 'process' }>;

export function ProcessPage({ at }: { readonly at: ProcessRoute }) {
  const { session, processId } = at;
  // Others come and go by the thousand: only this one is looked at.
  const process = useComputed(() => world.process(session, processId)).value;
  const predecessors = process?.value.predecessors ?? 0;
  const watch = useMemo(
    () => new ProcessWatch(link, { session, processId }),
    [session, processId, predecessors],
  );
  useEffect(() => () => watch.close(), [watch]);
  if (process === undefined) {
    if (link.state.value !== 'open') return <Empty title="Connecting …" />;
    return (
      <Empty title="This process is not known here">
        <p>The server no longer remembers it, or this console may not see it.</p>
      </Empty>
    );
  }
  const row = process.value;
  return (
    <article class="process-page" aria-label={`Process ${row.title}`} key={predecessors}>
      <Head row={row} watch={watch} />
      {row.denied && <Denial key={row.key} at={at} row={row} />}
      <Tabs at={at} />
      <TerminalPanel at={at} row={row} watch={watch} />
      {at.tab !== 'terminal' && (
        <div class="tab-body" role="tabpanel" aria-label={NAMES[at.tab]} key={`${row.key} ${at.tab}`}>
          {at.tab === 'output' && <OutputTab row={row} at={at} watch={watch} />}
          {at.tab === 'tree' && <TreeTab row={row} />}
          {at.tab === 'policy' && <PolicyTab row={row} />}
          {at.tab === 'files' && <FilesTab row={row} />}
          {at.tab === 'events' && <EventList of={{ session, processId }} />}
        </div>
      )}
    </article>
  );
}

/**
 * Once it has been looked at, the terminal stays and goes on behind other tabs: to draw everything anew for who comes back
 * takes seconds for a command that writes a lot.
 */
function TerminalPanel({
  at,
  row,
  watch,
}: {
  readonly at: ProcessRoute;
  readonly row: ProcessRow;
  readonly watch: ProcessWatch;
}) {
  const isHere = at.tab === 'terminal';
  const wasOpened = useRef(false);
  if (isHere) wasOpened.current = true;
  if (!wasOpened.current) return null;
  return (
    <div class="tab-body" role="tabpanel" aria-label={NAMES.terminal} hidden={!isHere}>
      <TerminalTab at={at} row={row} watch={watch} isHere={isHere} />
    </div>
  );
}

function Head({ row, watch }: { readonly row: ProcessRow; readonly watch: ProcessWatch }) {
  const session = world.sessions.value.get(row.session);
  const { tree } = useTree(row, row.state === 'exited' || row.state === 'closed');
  const quiet = useComputed(() => {
    void watch.log.version.value;
    const last = watch.log.at(watch.log.endIndex - 1);
    const current = world.process(row.session, row.processId)?.value ?? row;
    const openApprovals = [...world.approvals.value.values()].filter(
      (approval) => approval.session === row.session && !approval.outcome,
    ).length;
    const lastOutputMs = last !== undefined && 'atMs' in last ? last.atMs : undefined;
    return whyQuiet(current, world.sessions.value.get(row.session), {
      nowMs: now.value,
      lastOutputMs,
      openApprovals,
      members: tree.value?.members.map(({ argv }) => commandLine(argv).slice(0, 40)),
    });
  });
  const canStop = link.may('stop') && row.alive;
  return (
    <header class="process-head">
      <div class="process-line">
        <button type="button" class="back-button" onClick={() => go({ page: 'overview' })}>
          ‹ All
        </button>
        <MarkSign mark={markOf(row)} text={stateText(row)} />
        <h1 title={commandLine(row.argv)}>
          <Command text={row.title} />
        </h1>
        <CopyButton text={commandLine(row.argv)} label="Copy the command line" />
        {canStop && (
          <button
            type="button"
            class="stop-button"
            disabled={!link.can('stop')}
            onClick={() => {
              dialog.value = { kind: 'stop', session: row.session, processId: row.processId };
            }}
          >
            {row.state === 'exited' || row.state === 'closed' ? 'End what is left' : 'Stop'} <kbd>x</kbd>
          </button>
        )}
      </div>
      <p class="process-meta">
        <span>
          <button
            type="button"
            class="session-link"
            onClick={() => go({ page: 'session', session: row.session })}
          >
            {safeText(session?.clientName ?? '') || 'client'}
          </button>
        </span>
        <span title="Working directory">{safeText(row.cwd)}</span>
        {row.pid !== undefined && <span>pid {row.pid}</span>}
        <span>{row.tty ? `pty ${row.cols ?? '?'}×${row.rows ?? '?'}` : 'pipes'}</span>
        <span>{sandboxName(row.sandboxType)}</span>
        {row.toolCall !== undefined && <span>call {safeText(row.toolCall)}</span>}
        <Took process={row} />
      </p>
      <p class={`quiet quiet-${quiet.value.kind}`} role="status">
        {quiet.value.sentence}
      </p>
    </header>
  );
}

/** Explained where it is asked about; elsewhere one line that leads there. */
function Denial({ at, row }: { readonly at: ProcessRoute; readonly row: ProcessRow }) {
  if (at.tab === 'terminal' || at.tab === 'policy') return <DenialCard row={row} />;
  return (
    <button type="button" class="denial-short" onClick={() => go({ ...at, tab: 'policy', seq: undefined })}>
      <span aria-hidden="true">▲</span> The sandbox denied this command <span class="hint">why?</span>
    </button>
  );
}

const NAMES: Readonly<Record<Tab, string>> = {
  terminal: 'Terminal',
  output: 'Output',
  tree: 'Tree',
  policy: 'Policy',
  files: 'Files',
  events: 'Events',
};

function Tabs({ at }: { readonly at: ProcessRoute }) {
  /** One of them is a stop of the Tab key; from there the arrows lead to the others. */
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
    event.stopPropagation();
    const index = (TABS.indexOf(at.tab) + step + TABS.length) % TABS.length;
    const tab = TABS[index];
    if (tab === undefined) return;
    go({ ...at, tab });
    event.currentTarget.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views of the process" onKeyDown={walk}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === at.tab}
          tabIndex={tab === at.tab ? 0 : -1}
          onClick={() => go({ ...at, tab })}
        >
          {NAMES[tab]}
        </button>
      ))}
    </div>
  );
}
