// Questions to the user of a client, in both eras of the protocol.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMark, untilNone, untilSome } from './support/left-processes.js';
import { type Message, ShellServer, type UserAnswer } from './support/shell-server.js';

const RULES = 'prefix_rule(["touch"], "prompt", justification="it touches")\n';

describe.each(['handshake', 'stateless'] as const)('a question (%s)', (era) => {
  const start = (answers: UserAnswer[], more = {}) =>
    ShellServer.start({ era, answers, rules: RULES, ...more });

  it('is about one exec, and its answer counts for that alone', async () => {
    await using server = await start(['accept', 'decline', 'accept']);
    const [first, second, third] = ['1', '2', '3'].map((name) => join(server.outside, name));
    const result = await server.shell(
      `echo before; touch ${first}; touch ${second}; echo $?; touch ${third}; echo after`,
    );
    expect(result.output).toBe('before\nExecution denied: User declined execution\n1\nafter\n');
    expect([first, second, third].map((file) => existsSync(file ?? ''))).toEqual([true, false, true]);
    expect(server.questions).toHaveLength(3);
    expect(server.questions[0]).toBe(
      `Allow the agent to run \`/usr/bin/touch ${first}\` outside the sandbox, in ${server.workspace}?\nThe rule says: it touches.`,
    );
  });

  it('that is cancelled ends the asking of this call', async () => {
    await using server = await start(['cancel', 'accept']);
    const result = await server.shell('touch a; touch b; echo done');
    expect(result.output).toBe(
      'Execution denied: User cancelled execution\nExecution denied: User cancelled execution\ndone\n',
    );
    expect(server.questions).toHaveLength(1);
    expect((await server.shell(`touch ${server.outside}/later`)).exit_code).toBe(0);
  });

  it('stands the clock', async () => {
    await using server = await start([() => late('accept', 2500)]);
    const result = await server.shell(`touch ${server.outside}/slow; echo done`, { timeout_ms: 2000 });
    expect(result).toMatchObject({ timed_out: false, exit_code: 0, stdout: 'done\n' });
  });

  it('that nobody can be asked is a denial at once', async () => {
    await using server = await start([], { capabilities: {} });
    expect(await server.shell('touch x')).toMatchObject({
      exit_code: 1,
      stderr: expect.stringMatching(/^Execution denied: this client cannot ask its user/),
    });
  });

  it('with an answer that is none is a denial', async () => {
    await using server = await start(['perhaps']);
    expect((await server.shell('touch x')).stderr).toMatch(/^Execution denied: the question could not/);
  });

  it('of a call that times out in another place is withdrawn with it', async () => {
    await using server = await start(['accept', 'accept', 'accept']);
    const result = await server.shell('touch a & touch b & touch c & wait; sleep 100', {
      timeout_ms: 2500,
    });
    expect(result).toMatchObject({ timed_out: true, exit_code: 124 });
    expect(server.questions).toHaveLength(3);
  });

  it('may be asked twenty times in a call, and no more', async () => {
    await using server = await start(Array.from({ length: 30 }, () => 'decline'));
    const { stderr } = await server.shell('for i in {1..22}; do touch x; done', { timeout_ms: 20_000 });
    expect(stderr.match(/User declined/g)).toHaveLength(20);
    expect(stderr.match(/more than 20 questions/g)).toHaveLength(2);
    expect(server.questions).toHaveLength(20);
  });
});

describe('an answer that comes too late', () => {
  it('runs nothing: the call was cancelled', async () => {
    const mark = newMark();
    let say: (answer: string) => void = () => undefined;
    const answer = new Promise<string>((resolve) => {
      say = resolve;
    });
    await using server = await ShellServer.start({ rules: RULES, answers: [() => answer] });
    const id = server.begin(
      'tools/call',
      server.params({
        command: `sleep ${mark} & touch ${server.outside}/late`,
        workdir: server.workspace,
        login: false,
      }),
    );
    while (server.questions.length === 0) await server.next();
    await untilSome(mark);
    server.send({ method: 'notifications/cancelled', params: { requestId: id } });
    await untilNone(mark);
    const question = await server.find(({ method }) => method === 'elicitation/create');
    await server.find(
      ({ method, params }) => method === 'notifications/cancelled' && params?.requestId === question.id,
    );
    say('accept');
    expect((await server.shell('echo alive')).stdout).toBe('alive\n');
    expect(existsSync(join(server.outside, 'late'))).toBe(false);
    expect(server.received.some((message) => message.id === id && message.method === undefined)).toBe(false);
  });
});

describe('a parked run', () => {
  const parked = async (server: ShellServer, command: string) => {
    const args = { command, workdir: server.workspace, login: false };
    const message = await server.request('tools/call', server.params(args));
    return { args, state: message.result?.requestState ?? '', message };
  };
  const answers = (message: Message) =>
    Object.fromEntries(
      Object.keys(message.result?.inputRequests ?? {}).map((key) => [key, { action: 'accept' }]),
    );

  it('is continued once: the same process, the whole output', async () => {
    await using server = await ShellServer.start({ era: 'stateless', rules: RULES });
    const { args, state, message } = await parked(server, `echo $$; touch ${server.outside}/once; echo $$`);
    const again = { inputResponses: answers(message), requestState: state };
    const done = await server.request('tools/call', server.params(args, {}, again));
    const lines = done.result?.structuredContent?.stdout.trim().split('\n') ?? [];
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(lines[1]);
    const replayed = await server.request('tools/call', server.params(args, {}, again));
    expect(replayed.error).toMatchObject({ code: -32602 });
  });

  it('belongs to its own call', async () => {
    await using server = await ShellServer.start({ era: 'stateless', rules: RULES });
    const { args, state, message } = await parked(server, `touch ${server.outside}/mine`);
    const other = { ...args, command: `touch ${server.outside}/other` };
    const stolen = await server.request(
      'tools/call',
      server.params(other, {}, { inputResponses: answers(message), requestState: state }),
    );
    expect(stolen.error).toMatchObject({ code: -32602 });
    const forged = await server.request(
      'tools/call',
      server.params(args, {}, { inputResponses: answers(message), requestState: 'forged' }),
    );
    expect(forged.error).toMatchObject({ code: -32602 });
    expect(existsSync(join(server.outside, 'other'))).toBe(false);
    expect(existsSync(join(server.outside, 'mine'))).toBe(false);
  });

  it('ends with the connection', async () => {
    const mark = newMark();
    const server = await ShellServer.start({ era: 'stateless', rules: RULES });
    await parked(server, `sleep ${mark} & touch x`);
    await untilSome(mark);
    await server[Symbol.asyncDispose]();
    await untilNone(mark);
  });
});

function late(answer: string, ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve(answer), ms));
}
