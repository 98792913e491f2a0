// What a server counts, under the names that the real server's telemetry has, so that a dashboard fits both. What it has
// beyond that is called `exec_server_…` too. Labels come from closed sets: no client can make a new series.
import { isMethod, type JournalEvent } from '@codex/exec-protocol';
import type { Journal } from '../../journal/journal.js';
import type { RequestInstrument } from '../instruments.js';
import { DurationFamily, NumberFamily } from './metric-family.js';

export interface ServerGauges {
  readonly sessions: () => number;
  readonly processes: () => number;
}

export class ServerMetrics implements RequestInstrument {
  readonly #connectionsActive = gauge('connections_active', 'Connections that are open.');
  readonly #connections = counter('connections_total', 'Connections that were accepted.');
  readonly #refused = counter('connections_refused_total', 'Connections that were refused.');
  readonly #requests = counter('requests_total', 'Requests that were answered.');
  readonly #requestDuration = new DurationFamily(
    'exec_server_request_duration_seconds',
    'Time to an answer.',
  );
  readonly #finished = counter('processes_finished_total', 'Processes that have ended.');
  readonly #processDuration = new DurationFamily(
    'exec_server_process_duration_seconds',
    'How long processes ran.',
  );
  readonly #denied = counter('sandbox_denials_total', 'Commands that were probably denied by their sandbox.');
  readonly #interventions = counter('interventions_total', 'What observers did to the processes of others.');
  readonly #now: () => number;
  #gauges: ServerGauges | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A server has one set of metrics; it is told of the server's own numbers here. */
  attach(journal: Journal, gauges: ServerGauges): void {
    this.#gauges = gauges;
    journal.listen((event) => this.#note(event));
  }

  connected(transport: string): () => void {
    this.#connectionsActive.add(1, { transport });
    this.#connections.add(1, { transport, result: 'accepted' });
    return () => this.#connectionsActive.add(-1, { transport });
  }

  begin({ method }: { readonly method: string }): (result: 'success' | 'error') => void {
    const startedAt = this.#now();
    const name = isMethod(method) ? method : 'unknown';
    return (result) => {
      this.#requests.add(1, { method: name, result });
      this.#requestDuration.observe((this.#now() - startedAt) / 1000, { method: name, result });
    };
  }

  /** The text format of Prometheus, version 0.0.4. */
  render(): string {
    const [sessions, processes] = [
      gauge('sessions_active', 'Sessions, those of clients that are away included.'),
      gauge('processes_active', 'Processes of which something is alive.'),
    ];
    sessions.add(this.#gauges?.sessions() ?? 0);
    processes.add(this.#gauges?.processes() ?? 0);
    const families = [
      this.#connectionsActive,
      this.#connections,
      this.#refused,
      this.#requests,
      this.#requestDuration,
      sessions,
      processes,
      this.#finished,
      this.#processDuration,
      this.#denied,
      this.#interventions,
    ];
    return `${families.flatMap((family) => family.lines()).join('\n')}\n`;
  }

  #note(event: JournalEvent): void {
    if (event.kind === 'connectionRefused') this.#refused.add(event.times ?? 1);
    else if (event.kind === 'intervention') this.#interventions.add(1, { what: event.what });
    else if (event.kind === 'processExited') {
      const result = event.exitCode === 0 ? 'success' : 'error';
      this.#finished.add(1, { result });
      this.#processDuration.observe(event.durationMs / 1000, { result });
      if (event.sandboxDenied) this.#denied.add(1);
    }
  }
}

function counter(name: string, help: string): NumberFamily {
  return new NumberFamily(`exec_server_${name}`, 'counter', help);
}

function gauge(name: string, help: string): NumberFamily {
  return new NumberFamily(`exec_server_${name}`, 'gauge', help);
}
