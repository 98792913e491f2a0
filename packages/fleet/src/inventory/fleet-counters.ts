// Counts what a program does in the fleet, and prints it in the text format of Prometheus.

import type { FleetMetrics } from './fleet-metrics.js';

/** Upper bounds in seconds of the buckets that opens are sorted into. */
const OPEN_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labelled = Map<string, number>;

export class FleetCounters implements FleetMetrics {
  readonly opens: Labelled = new Map();
  readonly resumes: Labelled = new Map();
  readonly ends: Labelled = new Map();
  readonly losses: Labelled = new Map();
  readonly openBuckets: number[] = OPEN_BUCKETS.map(() => 0);
  openSeconds = 0;
  openCount = 0;
  reconnects = 0;
  channels = 0;

  channelOpened(): void {
    this.channels++;
  }

  channelEnded(reason: string): void {
    add(this.ends, endLabel(reason));
  }

  reconnected(): void {
    this.reconnects++;
  }

  opened(result: string, seconds: number): void {
    add(this.opens, result);
    this.openCount++;
    this.openSeconds += seconds;
    OPEN_BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) this.openBuckets[index] = (this.openBuckets[index] ?? 0) + 1;
    });
  }

  resumed(result: string): void {
    add(this.resumes, result);
  }

  lost(reason: string): void {
    add(this.losses, reason);
  }
}

export function prometheusText(counters: FleetCounters, gauges: Readonly<Record<string, number>>): string {
  const lines = [
    ...labelled('exec_fleet_opens_total', 'result', counters.opens),
    ...labelled('exec_fleet_resumes_total', 'result', counters.resumes),
    ...labelled('exec_fleet_channel_ends_total', 'reason', counters.ends),
    ...labelled('exec_fleet_lost_total', 'reason', counters.losses),
    '# TYPE exec_fleet_channels_opened_total counter',
    `exec_fleet_channels_opened_total ${counters.channels}`,
    '# TYPE exec_fleet_broker_reconnects_total counter',
    `exec_fleet_broker_reconnects_total ${counters.reconnects}`,
    '# TYPE exec_fleet_open_seconds histogram',
    ...OPEN_BUCKETS.map(
      (bound, index) => `exec_fleet_open_seconds_bucket{le="${bound}"} ${counters.openBuckets[index]}`,
    ),
    `exec_fleet_open_seconds_bucket{le="+Inf"} ${counters.openCount}`,
    `exec_fleet_open_seconds_sum ${counters.openSeconds}`,
    `exec_fleet_open_seconds_count ${counters.openCount}`,
    ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Reasons are sentences; a label is one of a few words. */
function endLabel(reason: string): string {
  const known = [
    'gap',
    'silent',
    'nobody is there',
    'broker',
    'does not know',
    'drained',
    'resumed by another',
  ];
  return known.find((word) => reason.includes(word))?.replaceAll(' ', '_') ?? 'closed';
}

function labelled(name: string, label: string, values: Labelled): string[] {
  return [
    `# TYPE ${name} counter`,
    ...[...values].map(([value, count]) => `${name}{${label}="${value}"} ${count}`),
  ];
}

function add(values: Labelled, key: string): void {
  values.set(key, (values.get(key) ?? 0) + 1);
}
