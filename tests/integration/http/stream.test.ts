// Responses whose body is streamed.
import { describe, expect, it } from 'vitest';
import { joined, serve, setUp } from './support/http-fixture.js';

describe('a streamed response', () => {
  it('is a reply without body, then numbered deltas, then an empty last one', async () => {
    const caller = await setUp();
    const { origin } = await serve((_, response) => response.end('ok'));
    const reply = await caller.request(origin, { requestId: 's', streamResponse: true });
    expect([reply.status, reply.bodyBase64]).toEqual([200, '']);
    expect(await caller.stream('s')).toEqual([
      { requestId: 's', seq: 1, deltaBase64: 'b2s=', done: false, error: null },
      { requestId: 's', seq: 2, deltaBase64: '', done: true, error: null },
    ]);
  });

  it('arrives as it is sent', async () => {
    const caller = await setUp();
    let finish: () => void = () => undefined;
    const { origin } = await serve((_, response) => {
      response.write('first');
      finish = () => response.end('second');
    });
    await caller.request(origin, { requestId: 's', streamResponse: true });
    await until(() => joined(caller.deltas).toString() === 'first');
    finish();
    expect(joined(await caller.stream('s')).toString()).toBe('firstsecond');
  });

  it('is complete and in order when it is large, in deltas of at most 1 MiB', async () => {
    const caller = await setUp();
    const body = Buffer.alloc(24 * 1024 * 1024);
    for (let index = 0; index < body.length; index += 4) body.writeUInt32LE(index, index);
    const { origin } = await serve((_, response) => response.end(body));
    await caller.request(origin, { requestId: 's', streamResponse: true });
    const deltas = await caller.stream('s');
    expect(deltas.map(({ seq }) => seq)).toEqual(deltas.map((_, index) => index + 1));
    expect(joined(deltas).equals(body)).toBe(true);
    for (const { deltaBase64 } of deltas) expect(deltaBase64.length).toBeLessThanOrEqual(1_398_104);
  });

  it('says why it broke off', async () => {
    const caller = await setUp();
    const { origin } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('abc', () => request.url === '/cut' && response.destroy());
    });
    await caller.request(`${origin}/cut`, { requestId: 'cut', streamResponse: true });
    await caller.request(`${origin}/hang`, { requestId: 'slow', streamResponse: true, timeoutMs: 80 });
    expect((await caller.stream('cut')).at(-1)).toMatchObject({
      done: true,
      deltaBase64: '',
      error: 'the connection ended before the body did',
    });
    expect((await caller.stream('slow')).at(-1)?.error).toBe('timed out after 80 ms');
  });

  it('keeps its id until it ends', async () => {
    const caller = await setUp();
    let finish: () => void = () => undefined;
    const { origin } = await serve((request, response) => {
      if (request.url === '/quick') return void response.end('q');
      response.write('x');
      finish = () => response.end();
    });
    const streamed = { requestId: 's', streamResponse: true };
    await caller.request(origin, streamed);
    expect(await caller.refusal(`${origin}/quick`, streamed)).toEqual({
      code: -32602,
      message: 'http/request streamResponse requestId `s` is already active',
    });
    expect((await caller.request(`${origin}/quick`, { requestId: 's' })).status).toBe(200);
    finish();
    await caller.stream('s');
    caller.deltas.length = 0;
    await caller.request(`${origin}/quick`, streamed);
    expect(joined(await caller.stream('s')).toString()).toBe('q');
  });

  it('frees its id when the request fails', async () => {
    const caller = await setUp();
    const streamed = { requestId: 's', streamResponse: true };
    for (let round = 0; round < 2; round++) {
      expect((await caller.refusal('http://127.0.0.1:1/', streamed)).code).toBe(-32603);
    }
  });

  it('ends with its connection', async () => {
    const caller = await setUp();
    let isClosed = false;
    const { origin } = await serve((_, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.write('x');
    });
    await caller.request(origin, { requestId: 's', streamResponse: true });
    caller.peer.close();
    await until(() => isClosed);
  });

  it('does not take what the client does not read', async () => {
    const caller = await setUp();
    let sent = 0;
    const { origin } = await serve((_, response) => {
      const block = Buffer.alloc(256 * 1024);
      const more = () => {
        while (sent < 256 * 1024 * 1024 && !response.destroyed) {
          sent += block.length;
          if (!response.write(block)) return void response.once('drain', more);
        }
      };
      more();
    });
    caller.channel.pause();
    const reply = caller.request(origin, { requestId: 's', streamResponse: true });
    reply.catch(() => undefined);
    await until(() => sent > 0);
    const settled = await steady(() => sent);
    expect(settled).toBeLessThan(64 * 1024 * 1024);
  });
});

async function until(probe: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !probe(); ) {
    if (Date.now() > deadline) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The value once it has not changed for a while. */
async function steady(probe: () => number): Promise<number> {
  for (let last = -1; ; ) {
    const value = probe();
    if (value === last) return value;
    last = value;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
