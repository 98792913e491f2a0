import { Buffer } from 'node:buffer';
import { type ChannelClose, createInMemoryChannelPair } from '@codex/exec-rpc';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FleetCaller } from '../opener/caller.js';
import { readFirstMessage } from './first-message.js';
import { Gateway } from './gateway.js';
import { ReadMarks } from './read-marks.js';

describe('the first message', () => {
  it('says which session a client comes back to', () => {
    const text = (params: unknown) => JSON.stringify({ id: 7, method: 'initialize', params });
    expect(readFirstMessage(text({ resumeSessionId: 'x~b~s' }))).toEqual({ id: 7, resumeSessionId: 'x~b~s' });
    expect(readFirstMessage(text({ resumeSessionId: null }))).toEqual({ id: 7, resumeSessionId: null });
    expect(readFirstMessage(text({}))).toEqual({ id: 7, resumeSessionId: null });
  });

  it('is the same in a binary frame, and may carry a trace', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const text = JSON.stringify({ id: 7, method: 'initialize', params: {}, trace: { traceparent } });
    const expected = { id: 7, resumeSessionId: null, trace: { traceparent } };
    expect(readFirstMessage(text)).toEqual(expected);
    expect(readFirstMessage(Buffer.from(text))).toEqual(expected);
    expect(readFirstMessage(Buffer.from([0xff, 1]))).toEqual({ id: undefined, resumeSessionId: null });
    const wrong = text.replace('00-aaaa', '01-aaaa');
    expect(readFirstMessage(wrong)).toEqual({ id: 7, resumeSessionId: null });
  });

  it.each([
    '',
    '{',
    '[]',
    '{"method":"initialized"}',
    '{"id":1,"method":"fs/readFile","params":{"resumeSessionId":"x~b~s"}}',
    `{"id":1,"method":"initialize","params":{"resumeSessionId":"${'x'.repeat(70_000)}"}}`,
  ])('says nothing when it is no initialize: %#', (text) => {
    expect(readFirstMessage(text).resumeSessionId).toBeNull();
  });
});

describe('what a client has read', () => {
  it('is told to the machine in its own bytes, never too much', () => {
    const marks = new ReadMarks();
    marks.forwarded(100, 110);
    marks.forwarded(40_000, 40_200);
    marks.forwarded(40_000, 80_300);
    expect(marks.readUpTo(50)).toBeUndefined();
    expect(marks.readUpTo(80_299)).toBe(40_100);
    expect(marks.readUpTo(80_300)).toBe(80_100);
    expect(marks.readUpTo(1e9)).toBeUndefined();
  });
});

describe('a client', () => {
  it('that says nothing does not stay: its place is wanted by others', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // No machine is looked for.
    const gateway = new Gateway({ caller: {} as FleetCaller });
    const [client, accepted] = createInMemoryChannelPair();
    const ends: ChannelClose[] = [];
    client.start({ message: () => undefined, drained: () => undefined, closed: (info) => ends.push(info) });
    gateway.accept(accepted, { environment: 'test', principal: { identity: 'silent' } });
    await vi.advanceTimersByTimeAsync(9_999);
    expect([ends.length, gateway.clientCount]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(10);
    expect(ends).toMatchObject([{ code: 1008, reason: 'no initialize in time' }]);
    expect(gateway.clientCount).toBe(0);
  });
});
