// Where one arrives: what runs, what needs a look, what happened last.

import { computed } from '@preact/signals';
import { plural } from '../text/format.js';
import { link, world } from './context.js';
import { EventList } from './journal-view.js';
import { Command, Empty, MarkSign, markOf, stateText, Took } from './parts.js';
import { go } from './route.js';

const counts = computed(() => {
  void world.revision.value;
  const rows = [...world.processes.value.values()].map((process) => process.peek());
  return {
    running: rows.filter((row) => row.state === 'running' || row.state === 'starting').length,
    denied: rows
      .filter((row) => row.denied)
      .slice(-8)
      .reverse(),
    lingering: rows
      .filter((row) => row.alive && (row.state === 'exited' || row.state === 'closed'))
      .slice(-8),
    stalled: rows.filter((row) => row.stalled).length,
    total: rows.length,
  };
});

export function Overview() {
  const { running, denied, lingering, stalled, total } = counts.value;
  const refused = world.events.value.filter((event) => event.kind === 'connectionRefused').length;
  const attached = [...world.sessions.value.values()].filter(({ state }) => state === 'attached').length;
  if (link.state.value === 'connecting') return <Empty title="Connecting …" />;
  const look = [...denied, ...lingering];
  return (
    <div class="overview">
      <div class="figures">
        <Figure value={attached} name={attached === 1 ? 'agent connected' : 'agents connected'} />
        <Figure value={running} name="running" tone={running > 0 ? 'run' : undefined} />
        <Figure value={total} name="processes seen" />
        <Figure value={denied.length} name="denied" tone={denied.length > 0 ? 'warn' : undefined} />
        <Figure value={stalled} name="stalled" tone={stalled > 0 ? 'warn' : undefined} />
        <Figure value={refused} name="connections refused" tone={refused > 0 ? 'bad' : undefined} />
      </div>
      {look.length > 0 && (
        <section class="look" aria-label="Needs a look">
          <h2>Needs a look</h2>
          {look.map((row) => (
            <button
              key={row.key}
              type="button"
              class="look-item"
              onClick={() =>
                go({ page: 'process', session: row.session, processId: row.processId, tab: 'terminal' })
              }
            >
              <MarkSign mark={markOf(row)} text={stateText(row)} />
              <Command text={row.title.slice(0, 160)} />
              <span class="hint">
                {stateText(row)} · <Took process={row} />
              </span>
            </button>
          ))}
        </section>
      )}
      <section class="feed" aria-label="What happened">
        <h2>What happened</h2>
        {world.events.value.length === 0 ? (
          <p class="hint">
            Nothing yet. Connect an agent, or try{' '}
            <code>exec-server run --url {location.origin.replace(/^http/, 'ws')} -- uname -a</code>
          </p>
        ) : (
          <EventList isBrief />
        )}
      </section>
      <p class="hint visually-hidden">{plural(total, 'process', 'processes')}</p>
    </div>
  );
}

function Figure({
  value,
  name,
  tone,
}: {
  readonly value: number;
  readonly name: string;
  readonly tone?: string | undefined;
}) {
  return (
    <div class={`figure ${tone === undefined ? '' : `figure-${tone}`}`}>
      <strong>{value.toLocaleString('en')}</strong>
      <span>{name}</span>
    </div>
  );
}
