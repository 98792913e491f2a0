import { describe, expect, it } from 'vitest';
import { EventLog, type LogReader } from './event-log.js';
import { TextEvents } from './text-events.js';

function fill(log: EventLog, from: number, to: number): void {
  const texts = new TextEvents();
  for (let seq = from; seq <= to; seq++) {
    log.append(texts.output({ seq, stream: 'stdout', bytes: new Uint8Array(10) }), seq);
  }
}

function rest(reader: LogReader): string[] {
  const seen: string[] = [];
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event.type === 'gap') seen.push(`gap ${event.gap.fromSeq}-${event.gap.toSeq} ${event.gap.bytes}`);
    else seen.push('seq' in event ? `${event.seq}` : event.type);
  }
  return seen;
}

describe('EventLog', () => {
  it('gives every reader everything, from where it starts', () => {
    const log = new EventLog(1000);
    fill(log, 1, 3);
    const first = log.reader();
    expect(rest(first)).toEqual(['1', '2', '3']);
    fill(log, 4, 5);
    expect(rest(first)).toEqual(['4', '5']);
    expect(rest(log.reader())).toEqual(['1', '2', '3', '4', '5']);
    expect(rest(log.reader(3))).toEqual(['4', '5']);
    expect(rest(log.reader(99))).toEqual([]);
  });

  it('drops the oldest and gives each reader the gap that it has', () => {
    const log = new EventLog(50);
    fill(log, 1, 4);
    const early = log.reader();
    early.next();
    early.next();
    fill(log, 5, 10);
    expect(rest(early)).toEqual(['gap 3-5 30', '6', '7', '8', '9', '10']);
    expect(rest(log.reader())).toEqual(['gap 1-5 50', '6', '7', '8', '9', '10']);
    expect(rest(log.reader(7))).toEqual(['8', '9', '10']);
  });

  it('keeps the newest event whatever its size', () => {
    const log = new EventLog(1);
    fill(log, 1, 3);
    expect(rest(log.reader())).toEqual(['gap 1-2 20', '3']);
  });

  it('keeps events without a seq in their place', () => {
    const log = new EventLog(1000);
    fill(log, 1, 1);
    log.append({ type: 'reconnecting' });
    fill(log, 2, 2);
    expect(rest(log.reader())).toEqual(['1', 'reconnecting', '2']);
    expect(log.lastSeq).toBe(2);
  });
});
