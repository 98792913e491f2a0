import { describe, expect, it } from 'vitest';
import { OutputLog } from '../output/log/output-log.js';
import { snapshotOutput } from './output-snapshot.js';

const bytes = (value: string) => new TextEncoder().encode(value);
const asText = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

function logOf(...blocks: ['stdout' | 'stderr' | 'pty', string][]): OutputLog {
  const log = new OutputLog({ headBytes: 4 });
  for (const [stream, value] of blocks) {
    log.append(stream, bytes(value));
    log.entry(log.nextSeq - 1);
  }
  return log;
}

describe('snapshotOutput', () => {
  it('keeps stdout, stderr and the terminal apart', () => {
    const snapshot = snapshotOutput(logOf(['stdout', 'a'], ['stderr', 'b'], ['stdout', 'c']));
    expect([asText(snapshot.stdout), asText(snapshot.stderr), asText(snapshot.terminal)]).toEqual([
      'ac',
      'b',
      '',
    ]);
    expect(snapshot.stdout.omittedBytes).toBe(0);
  });

  it('shows the beginning and the end of what was dropped in between, and counts the rest', () => {
    const log = logOf(['pty', 'abc'], ['pty', 'def'], ['pty', 'ghi'], ['pty', 'jkl']);
    for (let i = 0; i < 3; i++) log.evictOldest();
    expect(asText(snapshotOutput(log).terminal)).toBe('abcdjkl');
    expect(snapshotOutput(log).terminal.omittedBytes).toBe(5);
  });

  it('does not repeat bytes that are in the head and still in the log', () => {
    const log = logOf(['pty', 'ab'], ['pty', 'cdef']);
    log.evictOldest();
    expect(snapshotOutput(log).terminal).toMatchObject({ omittedBytes: 0 });
    expect(asText(snapshotOutput(log).terminal)).toBe('abcdef');
  });

  it('takes only the end when the log holds more than a reply may carry', () => {
    const { terminal, stdout } = snapshotOutput(logOf(['pty', '0123456789'], ['stdout', 'abcdefgh']), 6);
    expect(asText(terminal)).toBe('456789');
    expect(terminal.omittedBytes).toBe(4);
    expect(asText(stdout)).toBe('fgh');
    expect(stdout.omittedBytes).toBe(5);
  });
});
