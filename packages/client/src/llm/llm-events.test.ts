import { describe, expect, it } from 'vitest';
import { ScriptedServer, turns } from '../../test-support/scripted-server.js';
import { ExecServerClient } from '../exec-server-client.js';
import { type LlmEvent, llmEvents } from './llm-events.js';
import { Utf8Frames } from './utf8-frames.js';

async function spawned() {
  const server = new ScriptedServer();
  server.answers['process/start'] = () => ({ processId: 'p' });
  server.answers['process/write'] = () => ({ status: 'accepted' });
  const client = await ExecServerClient.connect({ channel: server.open });
  const process = await client.spawn(['cat'], { id: 'p', stdin: 'pipe' });
  let seq = 0;
  return {
    process,
    output: (text: string) => {
      const chunk = Buffer.from(text).toString('base64');
      server.notify('process/output', { processId: 'p', seq: ++seq, stream: 'stdout', chunk });
    },
    finish: (exitCode: number) => {
      server.notify('process/exited', { processId: 'p', seq: ++seq, exitCode });
      server.notify('process/closed', { processId: 'p', seq: ++seq });
    },
  };
}

describe('events for a model', () => {
  it('are begin, deltas, interactions and one end', async () => {
    const { process, output, finish } = await spawned();
    const seen: LlmEvent[] = [];
    const reading = (async () => {
      for await (const event of llmEvents(process, { callId: 'call' })) seen.push(event);
    })();
    await turns();
    output('prompt> ');
    await turns();
    await process.stdin.write('answer\n');
    await turns();
    output('thanks');
    finish(3);
    await reading;
    expect(seen.map(({ type }) => type)).toEqual([
      'execCommandBegin',
      'execCommandOutputDelta',
      'terminalInteraction',
      'execCommandOutputDelta',
      'execCommandEnd',
    ]);
    expect(seen.every(({ callId, processId }) => callId === 'call' && processId === 'p')).toBe(true);
    expect(seen[2]).toMatchObject({ input: 'answer\n' });
    expect(seen[4]).toMatchObject({ status: 'failed', exitCode: 3, output: { totalBytes: 14 } });
  });

  it('are bounded, and say when they are', async () => {
    const { process, output, finish } = await spawned();
    output('abcdefgh'.repeat(3));
    finish(0);
    const seen: LlmEvent[] = [];
    for await (const event of llmEvents(process, { callId: 'c', maxDeltas: 2, maxDeltaBytes: 8 })) {
      seen.push(event);
    }
    expect(seen.map(({ type }) => type)).toEqual([
      'execCommandBegin',
      'execCommandOutputDelta',
      'execCommandOutputDelta',
      'outputQuotaReached',
      'execCommandEnd',
    ]);
    expect(seen.at(-1)).toMatchObject({ status: 'completed', output: { totalBytes: 24 } });
  });

  it('can be left', async () => {
    const { process, output } = await spawned();
    output('x');
    for await (const event of llmEvents(process, { callId: 'c' })) {
      if (event.type === 'execCommandOutputDelta') break;
    }
    expect(process.state).toBe('running');
  });
});

describe('frames', () => {
  const frames = (max: number, ...chunks: (string | number[])[]): string[] => {
    const cutter = new Utf8Frames(max);
    const all = chunks.flatMap((chunk) =>
      cutter.push(typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk)),
    );
    return [...all, ...cutter.flush()].map((frame) => Buffer.from(frame).toString('latin1'));
  };
  const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

  it('end at whole characters and stay within their size', () => {
    expect(frames(5, 'aaaé€')).toEqual(['aaaé', '€'].map(utf8));
    expect(frames(4, '😀😀')).toEqual(['😀', '😀'].map(utf8));
    expect(frames(100, [0xe2], [0x82], [0xac, 0x61])).toEqual([utf8('€a')]);
  });

  it('pass bytes that are no text as they are', () => {
    expect(frames(4, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]).join('')).toBe('\x80'.repeat(6));
    expect(frames(100, [0x61, 0xf0, 0x9f])).toEqual(['a', '\xf0\x9f']);
  });
});
