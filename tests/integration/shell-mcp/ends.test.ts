// However a server ends, nothing of its commands is left: inside, outside, in the background, while a question is open.
import { readdirSync } from 'node:fs';
import { patchedBashPath } from '@codex/escalation';
import { describe, expect, it } from 'vitest';
import { newMark, processesWith, untilNone, untilSome } from './support/left-processes.js';
import { ShellServer } from './support/shell-server.js';

const RULES = 'prefix_rule(["sleep"], "allow")\nprefix_rule(["touch"], "prompt")\n';

/** A tail runs inside, a sleep outside; one of each in the background, and a question that nobody answers. */
const busy = (mark: string) =>
  `(exec -a "inside ${mark}" tail -f /dev/null) & sleep ${mark} & sleep ${mark} & touch x`;

const PATCHED = ['--bash', patchedBashPath()];

const ENDS: Readonly<Record<string, (server: ShellServer) => void>> = {
  'the end of its input': (server) => server.child.stdin?.end(),
  SIGTERM: (server) => server.child.kill('SIGTERM'),
  'kill -9': (server) => server.child.kill('SIGKILL'),
  'a client that is gone': (server) => {
    server.child.stdin?.destroy();
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
  },
};

describe.each(Object.keys(ENDS))('after %s', (name) => {
  it.each([
    ['handshake', 'library'],
    ['stateless', 'library'],
    ['handshake', 'patched Bash'],
  ] as const)('nothing is left (%s, %s)', async (era, shell) => {
    const mark = newMark();
    await using server = await ShellServer.start({
      era,
      flags: shell === 'library' ? [] : PATCHED,
      rules: RULES,
      answers: [() => new Promise(() => undefined)],
    });
    server.begin(
      'tools/call',
      server.params({ command: busy(mark), workdir: server.workspace, login: false }),
    );
    await untilSome(`inside ${mark}`);
    await untilSome(`sleep\0${mark}`);
    ENDS[name]?.(server);
    await untilNone(mark);
    const { code } = await server.exited;
    if (name === 'the end of its input' || name === 'SIGTERM') expect(code).toBe(0);
  });
});

it('what was answered long ago ends with the connection, too', async () => {
  const mark = newMark();
  const server = await ShellServer.start({ rules: RULES });
  await server.shell(`(exec -a "inside ${mark}" tail -f /dev/null) & sleep ${mark} & echo answered`);
  await untilSome(`inside ${mark}`);
  await untilSome(`sleep\0${mark}`);
  await server[Symbol.asyncDispose]();
  await untilNone(mark);
});

describe('with the patched Bash', () => {
  it('a timeout ends what runs inside and outside, and what was printed is there', async () => {
    const mark = newMark();
    await using server = await ShellServer.start({ rules: RULES, flags: PATCHED });
    const command = `echo partial; (exec -a "inside ${mark}" tail -f /dev/null) & sleep ${mark}`;
    expect(await server.shell(command, { timeout_ms: 1500 })).toMatchObject({
      exit_code: 124,
      timed_out: true,
      output: 'partial\n',
    });
    expect(processesWith(mark)).toEqual([]);
  });

  it('cancelling ends what runs inside and outside, and withdraws the question', async () => {
    const mark = newMark();
    await using server = await ShellServer.start({
      rules: RULES,
      flags: PATCHED,
      answers: [() => new Promise(() => undefined)],
    });
    const id = server.begin(
      'tools/call',
      server.params({ command: busy(mark), workdir: server.workspace, login: false }),
    );
    const question = await server.find(({ method }) => method === 'elicitation/create');
    await untilSome(`sleep\0${mark}`);
    server.send({ method: 'notifications/cancelled', params: { requestId: id } });
    await untilNone(mark);
    await server.find(
      ({ method, params }) => method === 'notifications/cancelled' && params?.requestId === question.id,
    );
    expect((await server.shell('echo alive')).stdout).toBe('alive\n');
  });
});

it('no descriptor of a call stays with the server, however the call ended', async () => {
  await using server = await ShellServer.start({
    rules: RULES,
    answers: Array.from({ length: 11 }, () => 'decline'),
  });
  const open = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
  const once = async () => {
    await server.shell('sleep 0; touch x; tail -1 /dev/null');
    await server.shell('sleep 100', { timeout_ms: 50 });
    const id = server.begin(
      'tools/call',
      server.params({ command: 'sleep 100', workdir: server.workspace, login: false }),
    );
    server.send({ method: 'notifications/cancelled', params: { requestId: id } });
  };
  await once();
  const before = open();
  for (let count = 0; count < 10; count += 1) await once();
  // What stands ready for the next call varies by a few. One for each call, or for each kind of end, would be ten or more.
  while (open() >= before + 10) await new Promise((resolve) => setTimeout(resolve, 10));
});
