import { describe, expect, it } from 'vitest';
import { requestOf, setUpTable } from '../../../test-support/scripted-table.js';
import type { ManagedProcess } from '../managed-process.js';
import type { StartRequest } from '../start/start-request.js';
import { listProcesses } from './process-list.js';

const MIB = 1024 * 1024;

/** Not started: a list shows them as well, with all that was asked for. */
function processesOf(requests: readonly (Partial<StartRequest> & { processId: string })[]): ManagedProcess[] {
  const { table } = setUpTable({ maxProcessesPerSession: 5000, maxProcesses: 5000 });
  return requests.map((request) => table.add(requestOf(request.processId, request)));
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const many = (count: number, more: (index: number) => Partial<StartRequest>) =>
  processesOf(Array.from({ length: count }, (_, i) => ({ processId: `p${i}`, ...more(i) })));

describe('listProcesses', () => {
  it('shows a command line as it is, and a long one shortened', () => {
    const [short, long] = listProcesses(
      processesOf([
        { processId: 'a', argv: ['ls', '-l'] },
        { processId: 'b', argv: ['x'.repeat(5000), ...Array<string>(100).fill('y')] },
      ]),
    );
    expect(short).toMatchObject({ processId: 'a', argv: ['ls', '-l'], cwd: '/', state: 'starting' });
    expect(long?.argv).toEqual([`${'x'.repeat(1024)}…`, ...Array<string>(31).fill('y'), '…']);
  });

  it.each([
    ['long command lines', () => ({ argv: Array<string>(40).fill('z'.repeat(2000)) })],
    ['arguments that grow on the wire', () => ({ argv: Array<string>(40).fill('\u0001é'.repeat(1000)) })],
    ['long ids', (i: number) => ({ processId: `${i}`.padEnd(1024, '-'), argv: ['a'.repeat(9000)] })],
    ['long directories', () => ({ cwdText: `/${'d'.repeat(16_000)}`, cwd: `/${'d'.repeat(16_000)}` })],
  ])('fits into a reply below 8 MiB with 2,048 processes with %s, each of them shown', (_, more) => {
    const list = listProcesses(many(2048, more));
    expect(list.length).toBe(2048);
    expect(sizeOf(list)).toBeLessThan(8 * MIB);
    expect(sizeOf(list)).toBeGreaterThan(MIB);
    expect(list.every(({ argv }) => argv.length > 0)).toBe(true);
  });

  it('leaves out the oldest where not even the ids fit', () => {
    const list = listProcesses(many(3000, (i) => ({ processId: `${i}`.padEnd(1024, '\u0001') })));
    expect(sizeOf(list)).toBeLessThan(8 * MIB);
    expect(list.length).toBeGreaterThan(1000);
    expect(list.at(-1)?.processId.startsWith('2999')).toBe(true);
  });

  it('cuts no character in half', () => {
    const [listed] = listProcesses(processesOf([{ processId: 'a', argv: [`x${'😀'.repeat(1000)}`] }]));
    expect(JSON.stringify(listed)).not.toContain('\\ud');
  });
});
