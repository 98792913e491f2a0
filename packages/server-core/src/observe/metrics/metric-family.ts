// One metric with its labels, and its lines in the text format of Prometheus.

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  value: number;
}

interface Distribution {
  readonly labels: Labels;
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** Seconds. From a fast request to a command that runs for an hour. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600, 3600] as const;

export class NumberFamily {
  readonly #samples = new Map<string, Sample>();
  readonly #name: string;
  readonly #header: string;

  constructor(name: string, type: 'counter' | 'gauge', help: string) {
    this.#name = name;
    this.#header = header(name, type, help);
  }

  add(amount: number, labels: Labels = {}): void {
    const key = labelText(labels);
    const sample = this.#samples.get(key);
    if (sample === undefined) this.#samples.set(key, { labels, value: amount });
    else sample.value += amount;
  }

  lines(): string[] {
    const samples = [...this.#samples].map(([key, { value }]) => `${this.#name}${key} ${value}`);
    return [this.#header, ...samples];
  }
}

export class DurationFamily {
  readonly #distributions = new Map<string, Distribution>();
  readonly #name: string;
  readonly #header: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#header = header(name, 'histogram', help);
  }

  observe(seconds: number, labels: Labels = {}): void {
    const key = labelText(labels);
    let found = this.#distributions.get(key);
    if (found === undefined) {
      found = { labels, buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
      this.#distributions.set(key, found);
    }
    found.sum += seconds;
    found.count++;
    const { buckets } = found;
    BOUNDS.forEach((bound, index) => {
      if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1;
    });
  }

  lines(): string[] {
    const lines = [...this.#distributions.values()].flatMap(({ labels, buckets, sum, count }) => {
      const bucket = (le: string, value: number) =>
        `${this.#name}_bucket${labelText({ ...labels, le })} ${value}`;
      return [
        ...BOUNDS.map((bound, index) => bucket(String(bound), buckets[index] ?? 0)),
        bucket('+Inf', count),
        `${this.#name}_sum${labelText(labels)} ${sum}`,
        `${this.#name}_count${labelText(labels)} ${count}`,
      ];
    });
    return [this.#header, ...lines];
  }
}

function header(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

function labelText(labels: Labels): string {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
