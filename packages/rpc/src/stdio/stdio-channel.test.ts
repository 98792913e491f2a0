import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ChannelClose } from '../channel.js';
import { RpcPeer } from '../peer.js';
import { createStdioChannel } from './stdio-channel.js';

function setUp(maxLineBytes?: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: string[] = [];
  const ends: ChannelClose[] = [];
  const drained = vi.fn();
  const channel = createStdioChannel({
    input,
    output,
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  channel.start({ message: (text) => messages.push(text), drained, closed: (info) => ends.push(info) });
  return { input, output, channel, messages, ends, drained };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('stdio channel', () => {
  it('delivers lines, skips blank ones, and ends with the input exactly once', async () => {
    const { input, messages, ends } = setUp();
    input.write('{"a":1}\r\n\n  \n{"b"');
    input.write(':"ü"}\n');
    input.end('{"c":3}');
    await settled();
    expect(messages).toEqual(['{"a":1}', '{"b":"ü"}', '{"c":3}']);
    expect(ends).toEqual([{ reason: 'end of input', clean: true }]);
  });

  it('writes LF lines with payloads in place', async () => {
    const { output, channel, drained } = setUp();
    channel.send('{"x":"ü"}');
    channel.send(['{"d":"', new Uint8Array([255, 254]), '"}']);
    await settled();
    // Node 26 gives one chunk a read.
    let text = '';
    for (let chunk = output.read(); chunk !== null; chunk = output.read()) text += String(chunk);
    expect(text).toBe('{"x":"ü"}\n{"d":"//4="}\n');
    expect(drained).toHaveBeenCalled();
  });

  it.each([
    ['a line over the limit', Buffer.from('12345678901\n'), 'line longer than 10 bytes', 1009],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'line is not valid UTF-8', 1007],
  ])('ends at %s and delivers nothing after it', async (_name, bytes, reason, code) => {
    const { input, messages, ends, output } = setUp(10);
    input.write(Buffer.concat([Buffer.from('{}\n'), bytes, Buffer.from('{}\n')]));
    await settled();
    expect(messages).toEqual(['{}']);
    expect(ends).toEqual([{ code, reason, clean: false }]);
    expect(output.writableEnded).toBe(true);
  });

  it('goes on behind a bad line where somebody is told of it', async () => {
    const input = new PassThrough();
    const bad: string[] = [];
    const messages: string[] = [];
    const ends: ChannelClose[] = [];
    const channel = createStdioChannel({
      input,
      output: new PassThrough(),
      maxLineBytes: 10,
      onBadLine: (reason) => bad.push(reason),
    });
    channel.start({
      message: (text) => messages.push(text),
      drained: () => undefined,
      closed: (info) => ends.push(info),
    });
    input.write(Buffer.from('{}\n12345678901\n"\xff"\n[]\n', 'latin1'));
    await settled();
    expect(messages).toEqual(['{}', '[]']);
    expect(bad).toEqual(['line longer than 10 bytes', 'line is not valid UTF-8']);
    expect(ends).toEqual([]);
  });

  it('counts what the output has not taken', async () => {
    const { output, channel } = setUp();
    for (let index = 0; index < 100; index++) channel.send('x'.repeat(9999));
    await settled();
    expect(channel.bufferedBytes).toBeGreaterThan(900_000);
    output.resume();
    await expect.poll(() => channel.bufferedBytes).toBe(0);
  });

  it('stops reading while paused', async () => {
    const { input, channel, messages } = setUp();
    channel.pause();
    input.write('{"a":1}\n');
    await settled();
    expect(messages).toEqual([]);
    channel.resume();
    await settled();
    expect(messages).toEqual(['{"a":1}']);
  });

  it('ends when the reader of its output goes away', async () => {
    const { output, ends, channel } = setUp();
    output.destroy(new Error('EPIPE'));
    await settled();
    expect(ends).toEqual([{ reason: 'output failed: EPIPE', clean: false }]);
    channel.send('ignored');
    expect(await channel.probe(10)).toBe(false);
  });

  it('answers malformed lines with the stdio wording', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    new RpcPeer(createStdioChannel({ input, output }), { onRequest: () => 1, onNotification: () => {} });
    input.write('{oops\n');
    await settled();
    const reply = JSON.parse(String(output.read()));
    expect(reply).toMatchObject({ id: -1, error: { code: -32600 } });
    expect(reply.error.message).toMatch(/^failed to parse JSON-RPC message from exec-server stdio: ./);
  });

  it('answers for a message that is too long, where such are skipped, and goes on behind it', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const channel = createStdioChannel({ input, output, maxLineBytes: 30, skipsTooLong: true });
    const peer = new RpcPeer(channel, { onRequest: ({ method }) => method, onNotification: () => {} });
    peer.acceptBinary();
    const binary = Buffer.alloc(9 + 40, 1);
    binary.writeUInt32BE(20, 1);
    binary.writeUInt32BE(20, 5);
    const line = Buffer.from(`${'x'.repeat(31)}\n`);
    input.write(Buffer.concat([line, Buffer.from('{"id":1,"method":"a"}\n'), binary]));
    input.write('{"id":2,"method":"b"}\n');
    await settled();
    input.end();
    expect(await peer.closed).toEqual({ reason: 'end of input', clean: true });
    const replies = String(Buffer.concat(await output.toArray()))
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    const tooLong = (what: string) => ({
      id: -1,
      error: {
        code: -32600,
        message: `failed to parse JSON-RPC message from exec-server stdio: ${what} longer than 30 bytes`,
      },
    });
    expect(replies).toHaveLength(4);
    expect(replies).toEqual(
      expect.arrayContaining([
        tooLong('line'),
        tooLong('binary message'),
        { id: 1, result: 'a' },
        { id: 2, result: 'b' },
      ]),
    );
  });

  it('answers what was read before the input ended', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const work = new Map<unknown, (value: unknown) => void>();
    const peer = new RpcPeer(createStdioChannel({ input, output }), {
      onRequest: ({ method }) => new Promise((resolve) => work.set(method, resolve)),
      onNotification: () => {},
    });
    input.end('{"id":1,"method":"a"}\n{"id":2,"method":"b"}\n{"method":"n"}');
    await settled();
    work.get('b')?.('second');
    await settled();
    expect(output.writableEnded).toBe(false);
    work.get('a')?.('first');
    expect(await peer.closed).toEqual({ reason: 'end of input', clean: true });
    const text = String(Buffer.concat(await output.toArray()));
    expect(text).toBe('{"id":2,"result":"second"}\n{"id":1,"result":"first"}\n');
  });

  it('does not wait for an answer for ever', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const input = new PassThrough();
    const peer = new RpcPeer(createStdioChannel({ input, output: new PassThrough() }), {
      onRequest: () => new Promise(() => undefined),
      onNotification: () => {},
    });
    let hasEnded = false;
    void peer.closed.then(() => {
      hasEnded = true;
    });
    input.end('{"id":1,"method":"a"}\n');
    await vi.advanceTimersByTimeAsync(4_900);
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(hasEnded).toBe(true);
  });

  it('gives the output two seconds to take the rest, then drops it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const output = new Writable({ write: () => undefined }); // has no reader
    const channel = createStdioChannel({ input: new PassThrough(), output });
    channel.start({ message: () => undefined, drained: () => undefined, closed: () => undefined });
    channel.send('"never read"');
    channel.close();
    await vi.advanceTimersByTimeAsync(1900);
    expect(output.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(output.destroyed).toBe(true);
  });

  it('waits for nothing once the output has taken the rest', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { output, channel } = setUp();
    channel.send('"rest"');
    channel.close();
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(3000);
    expect(String(output.read())).toBe('"rest"\n');
  });
});
