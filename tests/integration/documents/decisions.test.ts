// Decision records: numbers without gaps, one format, and an index that names them all.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../docs/decisions/', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort();

describe('decision records', () => {
  it('are numbered in order and without gaps', () => {
    const numbers = records.map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(records.map((_, index) => index + 1));
  });

  it.each(records)('%s has a title, a status with a date, and a decision', (name) => {
    const record = text(name);
    expect(record).toMatch(new RegExp(`^# ${name.slice(0, 4)} \\S`));
    expect(record).toMatch(/^Status: (?:accepted|replaced by \d{4}) · \d{4}-\d{2}-\d{2}$/m);
    expect(record).toMatch(/^## Decision$/m);
  });

  it('are all in the index, under their own title', () => {
    const rows = [...text('README.md').matchAll(/^\| (\d{4}) \| \[(.*)\]\((.*)\) \|/gm)].map((row) => [
      row[3],
      `# ${row[1]} ${row[2]}`,
    ]);
    expect(rows).toEqual(records.map((name) => [name, text(name).split('\n', 1)[0]]));
  });
});
