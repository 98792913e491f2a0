// Counts what a program does in the fleet, and prints it in the text format of Prometheus. Labels come from closed sets: no
// remote end can make a new series.

import type { FleetMetrics, OpenResult } from './fleet-metrics.js';
import { gaugeLines, Histogram, LabelledCounter, plainCounter } from './prometheus.js';

/** Upper bounds in seconds. */
const OPEN_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ROUND_TRIP_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 4];

export class FleetCounters implements FleetMetrics {
  readonly #opens = new LabelledCounter('exec_fleet_opens_total', 'result');
  readonly #openSeconds = new Histogram('exec_fleet_open_seconds', OPEN_BOUNDS);
  readonly #resumes = new LabelledCounter('exec_fleet_resumes_total', 'result');
  readonly #ends = new LabelledCounter('exec_fleet_channel_ends_total', 'reason');
  readonly #losses = new LabelledCounter('exec_fleet_lost_total', 'reason');
  readonly #bytes = new LabelledCounter('exec_fleet_bytes_total', 'direction');
  readonly #roundTrips = new Histogram('exec_fleet_round_trip_seconds', ROUND_TRIP_BOUNDS);
  #channelsOpened = 0;
  #reconnects = 0;
  #stalledSeconds = 0;

  channelOpened(): void {
    this.#channelsOpened++;
  }

  channelEnded(reason: string): void {
    this.#ends.add(endLabel(reason));
  }

  reconnected(): void {
    this.#reconnects++;
  }

  opened(result: OpenResult, seconds?: number): void {
    this.#opens.add(result);
    if (seconds !== undefined) this.#openSeconds.observe(seconds);
  }

  resumed(result: string): void {
    this.#resumes.add(result);
  }

  lost(reason: string): void {
    this.#losses.add(reason);
  }

  sent(bytes: number): void {
    this.#bytes.add('out', bytes);
  }

  received(bytes: number): void {
    this.#bytes.add('in', bytes);
  }

  stalled(seconds: number): void {
    this.#stalledSeconds += seconds;
  }

  roundTrip(seconds: number): void {
    this.#roundTrips.observe(seconds);
  }

  lines(): string[] {
    return [
      ...this.#opens.lines(),
      ...this.#openSeconds.lines(),
      ...plainCounter('exec_fleet_channels_opened_total', this.#channelsOpened),
      ...this.#ends.lines(),
      ...this.#resumes.lines(),
      ...this.#losses.lines(),
      ...this.#bytes.lines(),
      ...plainCounter('exec_fleet_credit_stalled_seconds_total', this.#stalledSeconds),
      ...plainCounter('exec_fleet_broker_reconnects_total', this.#reconnects),
      ...this.#roundTrips.lines(),
    ];
  }
}

export function prometheusText(counters: FleetCounters, gauges: Readonly<Record<string, number>>): string {
  return `${[...counters.lines(), ...gaugeLines(gauges)].join('\n')}\n`;
}

/** Reasons are sentences; a label is one of a few words. */
const END_LABELS: readonly (readonly [word: string, label: string])[] = [
  ['gap', 'gap'],
  ['silent', 'silent'],
  ['nobody is there', 'nobody'],
  ['broker', 'broker'],
  ['does not know', 'reset'],
  ['drained', 'drained'],
  ['shutting down', 'drained'],
  ['resumed by another', 'taken_over'],
  ['granted', 'violation'],
  ['malformed', 'violation'],
  ['no frame', 'violation'],
  ['too long', 'violation'],
  ['not valid UTF-8', 'violation'],
];

function endLabel(reason: string): string {
  return END_LABELS.find(([word]) => reason.includes(word))?.[1] ?? 'closed';
}
