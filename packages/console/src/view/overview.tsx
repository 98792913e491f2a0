// Where one arrives: what runs, what needs a look, what happened last.

import { computed } from '@preact/signals';
import { plural } from '../text/format.js';
import { link, world } from './context.js';
import { EventList } from './journal-view.js';
import { Command, CopyButton, Empty, MarkSign, markOf, stateText, Took } from './parts.js';
import { go } from './route.js';

const counts = computed(() => {
  void world.pulse.value;
  const rows = [...world.processes.peek().values()].map((process) => process.peek());
  return {
    running: rows.filter((row) => row.state === 'running' || row.state === 'starting').length,
    denied: rows.filter((row) => row.denied).length,
    deniedLately: rows
      .filter((row) => row.denied)
      .slice(-8)
      .reverse(),
    lingering: rows
      .filter((row) => row.alive && (row.state === 'exited' || row.state === 'closed'))
      .slice(-8),
    stalled: rows.filter((row) => row.stalled).length,
    total: rows.length,
    refused: world.events
      .peek()
      .reduce((sum, event) => sum + (event.kind === 'connectionRefused' ? (event.times ?? 1) : 0), 0),
    attached: [...world.sessions.peek().values()].filter(({ state }) => state === 'attached').length,
  };
});

export function Overview() {
  const { running, denied, deniedLately, lingering, stalled, total, refused, attached } = counts.value;
  if (link.state.value === 'connecting') return <Empty title="Connecting …" />;
  const look = [...deniedLately, ...lingering];
  return (
    <div class="overview">
      <div class="figures">
        <Figure value={attached} name={attached === 1 ? 'agent' : 'agents'} />
        <Figure value={running} name="running" tone={running > 0 ? 'run' : undefined} />
        <Figure value={total} name={total === 1 ? 'process' : 'processes'} />
        <Figure value={denied} name="denied" tone={denied > 0 ? 'warn' : undefined} />
        <Figure value={stalled} name="stalled" tone={stalled > 0 ? 'warn' : undefined} />
        <Figure value={refused} name="refused" tone={refused > 0 ? 'bad' : undefined} />
      </div>
      {total === 0 && (
        <section class="welcome" aria-label="How to begin">
          <h2>Nothing has run here yet</h2>
          <p>Point an agent at this server, or run something yourself and watch it come in:</p>
          <pre>
            exec-server run --url {serverUrl()} -- uname -a
            <CopyButton text={`exec-server run --url ${serverUrl()} -- uname -a`} label="Copy the command" />
          </pre>
        </section>
      )}
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
              <Command text={row.title.slice(0, 160)} isInert />
              <span class="hint">
                {stateText(row)} · <Took process={row} />
              </span>
            </button>
          ))}
        </section>
      )}
      <section class="feed" aria-label="What happened">
        <h2>What happened</h2>
        <EventList isBrief />
      </section>
      <p class="hint visually-hidden">{plural(total, 'process', 'processes')}</p>
    </div>
  );
}

/** As clients call it: the name of this run is for browsers. */
function serverUrl(): string {
  return location.origin.replace(/^http/, 'ws').replace(/\/\/x[0-9a-f]+\.localhost/, '//127.0.0.1');
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
