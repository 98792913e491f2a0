// However a server ends, nothing of its commands is left: inside, outside, in the background, while a question is open.
import { describe, expect, it } from 'vitest';
import { newMark, untilNone, untilSome } from './support/left-processes.js';
import { ShellServer } from './support/shell-server.js';

const RULES = 'prefix_rule(["sleep"], "allow")\nprefix_rule(["touch"], "prompt")\n';

/** A tail runs inside, a sleep outside; one of each in the background, and a question that nobody answers. */
const busy = (mark: string) =>
  `(exec -a "inside ${mark}" tail -f /dev/null) & sleep ${mark} & sleep ${mark} & touch x`;

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
  it.each(['handshake', 'stateless'] as const)('nothing is left (%s)', async (era) => {
    const mark = newMark();
    await using server = await ShellServer.start({
      era,
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
