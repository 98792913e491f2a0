// The official client, in both eras: the tools cannot tell them apart.
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred, ERAS, officialClient, served, textResult } from '../../test-support/served.js';
import type { Answer, McpTool, ToolContext } from './description.js';
import { InvalidCallError } from './invalid-call-error.js';

describe.each(ERAS)('in the era %s', (era) => {
  async function connect(
    tools: Readonly<Record<string, McpTool['handler']>>,
    capabilities: object = { elicitation: { form: {} } },
  ) {
    const server = served(tools, {
      instructions: 'be careful',
      experimental: { 'codex/sandbox-state': { version: '1.0.0' } },
    });
    const client = await officialClient(server, era, { capabilities });
    onTestFinished(() => server.connection.close());
    return { server, client };
  }

  it('says who it is and lists its tools', async () => {
    const { client } = await connect({ one: async () => textResult('1') });
    expect(client.getServerVersion()).toMatchObject({ name: 'test-server', version: '1.2.3' });
    expect(client.getInstructions()).toBe('be careful');
    expect(client.getServerCapabilities()?.experimental).toEqual({
      'codex/sandbox-state': { version: '1.0.0' },
    });
    expect((await client.listTools()).tools).toMatchObject([{ name: 'one', description: 'the tool one' }]);
  });

  it('gives text and structure, and the context of the call', async () => {
    let seen: ToolContext | undefined;
    const { client } = await connect({
      echo: async (args, context) => {
        seen = context;
        return { text: 'said', structured: { args }, isError: true };
      },
    });
    const result = await client.callTool({ name: 'echo', arguments: { a: [1] }, _meta: { 'x/y': 7 } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'said' }],
      structuredContent: { args: { a: [1] } },
      isError: true,
    });
    expect(seen).toMatchObject({ protocolEra: era, canAsk: true, meta: { 'x/y': 7 } });
  });

  it.each([
    ['a tool that is none', 'none', -32602, 'unknown tool: none'],
    ['wrong arguments', 'picky', -32602, '`cmd` is missing'],
    ['a handler that fails', 'broken', -32603, 'disk full'],
  ])('refuses %s', async (_what, name, code, message) => {
    const { client } = await connect({
      picky: () => Promise.reject(new InvalidCallError('`cmd` is missing')),
      broken: () => Promise.reject(new TypeError('disk full')),
    });
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('asks one question after another and several at once', async () => {
    const { client } = await connect({
      ask: async (_args, { ask }) => {
        const first = await ask({ message: 'first?' });
        const rest = await Promise.all(['a', 'b', 'c'].map((message) => ask({ message })));
        return { text: '', structured: { actions: [first, ...rest].map(({ action }) => action) } };
      },
    });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return params.message === 'b'
        ? { action: 'decline' }
        : params.message === 'c'
          ? { action: 'cancel' }
          : { action: 'accept', content: {} };
    });
    const { structuredContent } = await client.callTool({ name: 'ask', arguments: {} });
    expect(structuredContent).toEqual({ actions: ['accept', 'accept', 'decline', 'cancel'] });
    expect(asked).toEqual(['first?', 'a', 'b', 'c']);
  });

  it('passes the fields of a form and what was filled in', async () => {
    const { client } = await connect({
      ask: async (_args, { ask }) => {
        const answer = await ask({ message: '?', fields: { name: { type: 'string' } }, required: ['name'] });
        return { text: '', structured: { answer } };
      },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      expect(params).toMatchObject({
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      return { action: 'accept', content: { name: 'Ada' } };
    });
    const { structuredContent } = await client.callTool({ name: 'ask', arguments: {} });
    expect(structuredContent).toEqual({ answer: { action: 'accept', content: { name: 'Ada' } } });
  });

  it('says at once when the client can ask nobody', async () => {
    const { client } = await connect(
      {
        ask: async (_args, { ask, canAsk }) => ({
          text: '',
          structured: { canAsk, ...(await ask({ message: '?' })) },
        }),
      },
      {},
    );
    const { structuredContent } = await client.callTool({ name: 'ask', arguments: {} });
    expect(structuredContent).toEqual({ canAsk: false, action: 'unavailable' });
  });

  it('aborts the signal of a call that is cancelled', async () => {
    const started = deferred<AbortSignal>();
    const { client } = await connect({
      wait: async (_args, { signal }) => {
        started.resolve(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return textResult('stopped');
      },
    });
    const abort = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: abort.signal });
    const signal = await started.promise;
    abort.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => signal.aborted).toBe(true);
  });

  it('sends progress that increases, the last message among it', async () => {
    const { client } = await connect({
      work: async (_args, { progress }) => {
        for (let step = 1; step <= 50; step++) {
          progress(`step ${step}`);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        await new Promise((resolve) => setTimeout(resolve, 120));
        return textResult('done');
      },
    });
    const seen: { progress: number; message?: string | undefined; at: number }[] = [];
    await client.callTool(
      { name: 'work', arguments: {} },
      { onprogress: ({ progress, message }) => seen.push({ progress, message, at: performance.now() }) },
    );
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.at(-1)?.message).toBe('step 50');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.length).toBeLessThan(50);
  });

  it('ends every run and every question with the connection', async () => {
    const answers: Answer[] = [];
    const aborted = deferred<void>();
    const asked = deferred<void>();
    const { client, server } = await connect({
      ask: async (_args, { ask, signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        answers.push(await ask({ message: '?' }));
        return textResult('');
      },
    });
    client.setRequestHandler('elicitation/create', () => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    client.callTool({ name: 'ask', arguments: {} }).catch(() => undefined);
    await asked.promise;
    await client.close();
    await server.connection.closed;
    await aborted.promise;
    expect(answers).toEqual([{ action: 'withdrawn' }]);
  });
});
