// Lines in the text format of Prometheus, version 0.0.4. Names and labels are the caller's own words.

export class LabelledCounter {
  readonly #name: string;
  readonly #label: string;
  readonly #values = new Map<string, number>();

  constructor(name: string, label: string) {
    this.#name = name;
    this.#label = label;
  }

  add(value: string, amount = 1): void {
    this.#values.set(value, (this.#values.get(value) ?? 0) + amount);
  }

  lines(): string[] {
    const samples = [...this.#values].map(
      ([value, count]) => `${this.#name}{${this.#label}="${value}"} ${count}`,
    );
    return [`# TYPE ${this.#name} counter`, ...samples];
  }
}

export class Histogram {
  readonly #name: string;
  readonly #bounds: readonly number[];
  readonly #buckets: number[];
  #sum = 0;
  #count = 0;

  constructor(name: string, bounds: readonly number[]) {
    this.#name = name;
    this.#bounds = bounds;
    this.#buckets = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    });
  }

  lines(): string[] {
    return [
      `# TYPE ${this.#name} histogram`,
      ...this.#bounds.map((bound, index) => `${this.#name}_bucket{le="${bound}"} ${this.#buckets[index]}`),
      `${this.#name}_bucket{le="+Inf"} ${this.#count}`,
      `${this.#name}_sum ${this.#sum}`,
      `${this.#name}_count ${this.#count}`,
    ];
  }
}

export function plainCounter(name: string, value: number): string[] {
  return [`# TYPE ${name} counter`, `${name} ${value}`];
}

export function gaugeLines(gauges: Readonly<Record<string, number>>): string[] {
  return Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]);
}
