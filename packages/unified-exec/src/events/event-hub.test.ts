import { describe, expect, it } from 'vitest';
import { EventHub } from './event-hub.js';
import type { UnifiedExecEvent } from './unified-exec-event.js';

const delta = (bytes: number): UnifiedExecEvent => ({
  type: 'delta',
  callId: 'c',
  stream: 'stdout',
  bytes: new Uint8Array(bytes),
});
const rejected: UnifiedExecEvent = { type: 'rejected', callId: 'c', code: 'tool.rejected', message: 'no' };

async function all(events: AsyncIterable<UnifiedExecEvent>): Promise<UnifiedExecEvent[]> {
  const seen: UnifiedExecEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe('the stream of events', () => {
  it('goes to every reader from the moment it asked', async () => {
    const hub = new EventHub();
    const early = hub.events();
    hub.push(rejected);
    const late = hub.events();
    hub.push(delta(1));
    hub.close();
    expect((await all(early)).map(({ type }) => type)).toEqual(['rejected', 'delta']);
    expect((await all(late)).map(({ type }) => type)).toEqual(['delta']);
    expect(await all(hub.events())).toEqual([]);
  });

  it('loses nothing but output for a reader that does not read, and says how much', async () => {
    const hub = new EventHub();
    const slow = hub.events();
    const megabytes = 4_000_000;
    for (let count = 0; count < 6; count++) hub.push(delta(megabytes));
    hub.push(rejected);
    const seen: UnifiedExecEvent[] = [];
    for (let count = 0; count < 5; count++) {
      const { value } = await slow.next();
      if (value !== undefined) seen.push(value);
    }
    hub.push(delta(7));
    hub.close();
    seen.push(...(await all(slow)));
    expect(seen.map(({ type }) => type)).toEqual([
      'delta',
      'delta',
      'delta',
      'delta',
      'rejected',
      'gap',
      'delta',
    ]);
    expect(seen[5]).toEqual({ type: 'gap', callId: 'c', bytes: 2 * megabytes, why: 'slowReader' });
  });

  it('keeps a bounded amount for a reader that was forgotten, and says how many events are missing', async () => {
    const hub = new EventHub();
    const forgotten = hub.events();
    // Output of one byte at a time, and input of megabytes: what is kept of them weighs as much.
    for (let count = 0; count < 100_000; count++) hub.push(delta(1));
    const stdin = 'x'.repeat(1_000_000);
    for (let count = 0; count < 100; count++)
      hub.push({ type: 'interaction', callId: 'c', sessionId: 1, stdin });
    hub.push(rejected);
    const kept: UnifiedExecEvent[] = [];
    for (let last = ''; last !== 'eventsLost'; ) {
      const { value } = await forgotten.next();
      if (value === undefined) break;
      kept.push(value);
      last = value.type;
    }
    const count = (type: string): number => kept.filter((event) => event.type === type).length;
    expect(count('delta')).toBeLessThan(70_000);
    expect(count('interaction')).toBeLessThan(40);
    const lost = 100 - count('interaction') + 1;
    expect(kept.at(-1)).toEqual({ type: 'eventsLost', events: lost });
    hub.push(delta(1));
    hub.close();
    expect((await all(forgotten)).map(({ type }) => type)).toEqual(['delta']);
  });

  it('counts the names of patched files, which may be as long as a model likes', async () => {
    const hub = new EventHub();
    const forgotten = hub.events();
    const changes = [{ kind: 'added', path: 'x/../'.repeat(200_000) }] as const;
    for (let count = 0; count < 100; count++) hub.push({ type: 'patched', callId: 'c', cwd: '/', changes });
    hub.close();
    const seen = await all(forgotten);
    expect(seen.length).toBeLessThan(50);
    expect(seen.at(-1)?.type).toBe('eventsLost');
  });

  it('may be asked for several events at once', async () => {
    const hub = new EventHub();
    const events = hub.events();
    const asked = [events.next(), events.next(), events.next()];
    hub.push(rejected);
    hub.push(delta(1));
    hub.close();
    const got = await Promise.all(asked);
    expect(got.map(({ value }) => value?.type)).toEqual(['rejected', 'delta', undefined]);
  });

  it('leaves nothing at a signal that outlives its readers', () => {
    const hub = new EventHub();
    const listeners = new Set<unknown>();
    const signal = {
      aborted: false,
      addEventListener: (_type: string, listener: unknown) => listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => listeners.delete(listener),
    } as unknown as AbortSignal;
    void hub.events({ signal }).return?.();
    expect(listeners.size).toBe(0);
  });

  it('ends with a signal, and when the loop is left', async () => {
    const hub = new EventHub();
    const stop = new AbortController();
    const reading = all(hub.events({ signal: stop.signal }));
    stop.abort();
    expect(await reading).toEqual([]);
    const left = hub.events();
    hub.push(rejected);
    for await (const _event of left) break;
    expect(await left.next()).toEqual({ done: true, value: undefined });
  });
});
