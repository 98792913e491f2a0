// What a full run did, in numbers, for docs/reliability.md.

export function record(what: string, facts: Readonly<Record<string, number>>): void {
  if (process.env['HOSTILE'] !== 'full') return;
  const numbers = Object.entries(facts).map(([name, value]) => `${name} ${Math.round(value)}`);
  process.stdout.write(`record: ${what}: ${numbers.join(', ')}\n`);
}
