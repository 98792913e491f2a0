// Lines as any client may write them, wrong ones among them.
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred, envelope, RawClient, served, textResult } from '../../test-support/served.js';
import type { Answer, McpServerDescription, McpTool } from './description.js';

type Tools = Readonly<Record<string, McpTool['handler']>>;

function open(tools: Tools, more: Partial<McpServerDescription> = {}) {
  const server = served(tools, more);
  onTestFinished(() => server.connection.close());
  return { ...server, client: new RawClient(server) };
}

const echo: Tools = { echo: async (args) => ({ text: 'ok', structured: { args } }) };

describe('lines', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'answers a handshake of %s with itself',
    async (version) => {
      const { client } = open(echo);
      expect((await client.shakeHands(version)).result).toMatchObject({ protocolVersion: version });
    },
  );

  it.each([
    'not json',
    '[]',
    '{"jsonrpc":"2.0"}',
    'null',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    `{"a":"${'x'.repeat(1000)}`,
    '\u0000',
  ])('goes on behind %j', async (line) => {
    const { client, problems } = open(echo);
    await client.shakeHands();
    client.line(line);
    const { result } = await client.request('tools/call', { name: 'echo', arguments: { a: 1 } });
    expect(result.structuredContent).toEqual({ args: { a: 1 } });
    expect(problems.length).toBe(1);
  });

  it('answers what has an id and is no message', async () => {
    const { client } = open(echo);
    client.line('{"jsonrpc":"2.0","id":7,"method":5}');
    expect(await client.find(({ id }) => id === 7)).toMatchObject({ error: { code: -32600 } });
  });

  it('goes on behind bytes that are no text', async () => {
    const { client, input, problems } = open(echo);
    input.write(Buffer.from([0x7b, 0xff, 0xfe, 0x0a]));
    expect((await client.shakeHands()).result).toBeDefined();
    expect(problems).toEqual(['line is not valid UTF-8']);
  });

  it('takes ten megabytes of arguments', async () => {
    const { client } = open({ size: async ({ text }) => textResult(String(String(text).length)) });
    await client.shakeHands();
    const { result } = await client.request('tools/call', {
      name: 'size',
      arguments: { text: 'x'.repeat(10_000_000) },
    });
    expect(result.structuredContent).toEqual({ text: '10000000' });
  });

  it.each([
    ['no name', { arguments: {} }],
    ['a name that is none', { name: 7 }],
    ['arguments that are a list', { name: 'echo', arguments: [1] }],
    ['arguments that are a text', { name: 'echo', arguments: 'x' }],
  ])('refuses a call with %s', async (_what, params) => {
    const { client } = open(echo);
    await client.shakeHands();
    expect((await client.request('tools/call', params)).error).toMatchObject({ code: -32602 });
  });

  it('answers methods of its own, and names an error', async () => {
    const { client } = open(echo, {
      methods: {
        'codex/double': async ({ n }) => ({ n: Number(n) * 2 }),
        'codex/fail': () => Promise.reject(new TypeError('no')),
      },
    });
    await client.shakeHands();
    expect((await client.request('codex/double', { n: 21 })).result).toEqual({ n: 42 });
    expect((await client.request('codex/fail')).error).toMatchObject({ code: -32603, message: 'no' });
    expect((await client.request('codex/none')).error).toMatchObject({ code: -32601 });
  });

  it('ends with its input, whatever a handler does', async () => {
    const { client, input, connection } = open({ hang: () => new Promise(() => undefined) });
    await client.shakeHands();
    client.start('tools/call', { name: 'hang', arguments: {} });
    input.end();
    await connection.closed;
  });
});

describe('a cancelled call of the handshake era', () => {
  it('withdraws its question, and a late answer does nothing', async () => {
    const answers: Answer[] = [];
    const { client } = open({
      ask: async (_args, { ask }) => {
        answers.push(await ask({ message: 'may I?' }));
        return textResult('x');
      },
    });
    await client.shakeHands();
    const call = client.start('tools/call', { name: 'ask', arguments: {} });
    const question = await client.find(({ method }) => method === 'elicitation/create');
    client.send({ method: 'notifications/cancelled', params: { requestId: call } });
    const withdrawn = await client.find(({ method }) => method === 'notifications/cancelled');
    expect(withdrawn.params).toMatchObject({ requestId: question.id });
    client.send({ id: question.id, result: { action: 'accept', content: {} } });
    await client.request('ping');
    expect(answers).toEqual([{ action: 'withdrawn' }]);
    expect(
      client.received.some(({ id, result }) => id === call && 'structuredContent' in { ...result }),
    ).toBe(false);
  });

  it.each([
    [{ error: { code: -1, message: 'no user here' } }, { action: 'failed' }],
    [{ result: { action: 'maybe' } }, { action: 'failed' }],
    [{ result: { action: 'decline' } }, { action: 'decline' }],
  ])('answer %j', async (answer, expected) => {
    const { client } = open({
      ask: async (_args, { ask }) => ({ text: '', structured: await ask({ message: '?' }) }),
    });
    await client.shakeHands();
    const call = client.start('tools/call', { name: 'ask', arguments: {} });
    const { id } = await client.find(({ method }) => method === 'elicitation/create');
    client.send({ id, ...answer });
    const { result } = await client.find((message) => message.id === call && 'result' in message);
    expect(result.structuredContent).toMatchObject(expected);
  });
});

describe('a parked run of the stateless era', () => {
  const accept = { action: 'accept', content: {} };

  function asking() {
    const aborted = deferred<void>();
    const opened = open({
      ask: async ({ count }, { ask, signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        const questions = Array.from({ length: Number(count) }, (_, at) =>
          ask({ message: `question ${at}` }),
        );
        const answers = await Promise.all(questions);
        return { text: '', structured: { actions: answers.map(({ action }) => action) } };
      },
    });
    const call = (params: object) =>
      opened.client.request('tools/call', {
        name: 'ask',
        arguments: { count: 2 },
        _meta: envelope(),
        ...params,
      });
    return { ...opened, aborted: aborted.promise, call };
  }

  it('goes on with the answers', async () => {
    const { call } = asking();
    const { result } = await call({});
    expect(result).toMatchObject({ resultType: 'input_required' });
    const keys = Object.keys(result.inputRequests);
    expect(Object.values(result.inputRequests)).toMatchObject([
      { method: 'elicitation/create', params: { message: 'question 0' } },
      { method: 'elicitation/create', params: { message: 'question 1' } },
    ]);
    // One answer now: the other question is asked again, with another state.
    const [first = '', second = ''] = keys;
    const again = await call({ requestState: result.requestState, inputResponses: { [first]: accept } });
    expect(Object.keys(again.result.inputRequests)).toEqual([second]);
    expect(again.result.requestState).not.toBe(result.requestState);
    const last = await call({
      requestState: again.result.requestState,
      inputResponses: { [second]: { action: 'decline' } },
    });
    expect(last.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { actions: ['accept', 'decline'] },
    });
  });

  it('refuses a state that was used, made up, or belongs to another call', async () => {
    const { call } = asking();
    const { result } = await call({});
    const answers = Object.fromEntries(Object.keys(result.inputRequests).map((key) => [key, accept]));
    const retry = { requestState: result.requestState, inputResponses: answers };
    for (const wrong of [
      { ...retry, requestState: 'AAAA' },
      { ...retry, requestState: 7 },
      { ...retry, arguments: { count: 3 } },
    ]) {
      expect((await call(wrong)).error).toMatchObject({ code: -32602 });
    }
    expect((await call(retry)).result).toMatchObject({
      structuredContent: { actions: ['accept', 'accept'] },
    });
    expect((await call(retry)).error).toMatchObject({ code: -32602 });
  });

  it('ends with the connection', async () => {
    const { call, input, aborted } = asking();
    await call({});
    input.end();
    await aborted;
  });

  it('is aborted when the request that brings answers is cancelled', async () => {
    const started = deferred<void>();
    const aborted = deferred<unknown>();
    const { client } = open({
      ask: async (_args, { ask, signal }) => {
        await ask({ message: '?' });
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted.resolve(undefined);
        return textResult('');
      },
    });
    const params = { name: 'ask', arguments: {}, _meta: envelope() };
    const { result } = await client.request('tools/call', params);
    const [key = ''] = Object.keys(result.inputRequests);
    const retry = client.start('tools/call', {
      ...params,
      requestState: result.requestState,
      inputResponses: { [key]: accept },
    });
    await started.promise;
    client.send({ method: 'notifications/cancelled', params: { requestId: retry, _meta: envelope() } });
    await aborted.promise;
  });
});
