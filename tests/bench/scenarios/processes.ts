// Processes: start to closed, many at once, and the echo of a keystroke.
import { workspaceSandbox } from '../sandbox-context.js';
import { type Scenario, timed } from '../scenario.js';
import { BenchClient } from '../subjects/bench-client.js';
import type { SshHost } from '../subjects/ssh-host.js';
import { PerKey } from './per-key.js';
import { startTypist, type Typist } from './typist.js';

const STARTS_AT_ONCE = 100;
const ECHOES = 30;

const startToClosed = (tty: boolean, goal: number): Scenario => ({
  name: `/bin/true, start to closed (${tty ? 'pty' : 'pipe'})`,
  unit: 'ms',
  samplesPerRound: 20,
  warmUps: 20,
  goal,
  isAckSensitive: true,
  sample: ({ client }) => timed(() => client.run({ argv: ['/bin/true'], tty })),
  ssh: (host) => timed(() => host.run('/bin/true', { tty })),
  // Node itself has no terminals.
  ...(tty ? {} : { node: (node) => timed(() => node.run('/bin/true')) }),
});

export const processScenarios: readonly Scenario[] = [
  startToClosed(false, 25),
  startToClosed(true, 15),
  {
    name: '/bin/true, start to closed (sandboxed)',
    unit: 'ms',
    samplesPerRound: 12,
    warmUps: 12,
    goal: 6,
    isAckSensitive: true,
    sample: ({ client, folder }) =>
      timed(() =>
        client.run({ argv: ['/bin/true'], cwd: `file://${folder}`, sandbox: workspaceSandbox(folder) }),
      ),
  },
  {
    name: `${STARTS_AT_ONCE} starts at once`,
    unit: '/s',
    samplesPerRound: 2,
    goal: 5,
    isAckSensitive: true,
    sample: ({ client }) => startsPerSecond(() => client.run({ argv: ['/bin/true'] })),
    ssh: (host) => startsPerSecond(() => host.run('/bin/true')),
    node: (node) => startsPerSecond(() => node.run('/bin/true')),
  },
  {
    name: 'keystroke echo (pty), the first thirty',
    unit: 'ms',
    samplesPerRound: ECHOES,
    warmUps: 2,
    isAckSensitive: true,
    sample: typeOverServer(),
    ssh: typeOverSsh(),
  },
  {
    name: 'keystroke echo (pty)',
    unit: 'ms',
    samplesPerRound: 200,
    // As with round trips: until then Node interprets what it will compile.
    warmUps: 1000,
    goal: 140,
    goalOverSsh: 1,
    isAckSensitive: true,
    sample: typeOverServer(),
    ssh: typeOverSsh(),
  },
  {
    name: 'sandboxed start, first of a server',
    unit: 'ms',
    samplesPerRound: 3,
    warmUps: 0,
    goalAtMost: 25,
    sample: async ({ server, folder }) => {
      const another = await server.another();
      const client = await BenchClient.connect(another.url);
      const cwd = `file://${folder}`;
      const ms = await timed(() =>
        client.run({ argv: ['/bin/true'], cwd, sandbox: workspaceSandbox(folder) }),
      );
      client.close();
      await another.stop();
      return ms;
    },
  },
];

async function startsPerSecond(start: () => Promise<unknown>): Promise<number> {
  const ms = await timed(() => Promise.all(Array.from({ length: STARTS_AT_ONCE }, start)));
  return (STARTS_AT_ONCE / ms) * 1000;
}

function typeOverServer(): Scenario['sample'] {
  const typists = new PerKey(startTypist);
  return async ({ client }) => timed(await typists.of(client));
}

function typeOverSsh(): NonNullable<Scenario['ssh']> {
  const typists = new PerKey(startSshTypist);
  return async (host) => timed(await typists.of(host));
}

async function startSshTypist(host: SshHost): Promise<Typist> {
  const child = host.spawn('echo ready; exec cat', { tty: true });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return async () => {
    const echoed = new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.write('x');
    await echoed;
  };
}
