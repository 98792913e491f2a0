// Processes: start to closed, many at once, and the echo of a keystroke.
import { workspaceSandbox } from '../sandbox-context.js';
import { type BenchContext, type Scenario, timed } from '../scenario.js';
import type { SshHost } from '../subjects/ssh-host.js';
import { PerKey } from './per-key.js';

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
  startToClosed(false, 10),
  startToClosed(true, 8),
  {
    name: '/bin/true, start to closed (sandboxed)',
    unit: 'ms',
    samplesPerRound: 12,
    warmUps: 12,
    goal: 5,
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
    goal: 2.5,
    isAckSensitive: true,
    sample: ({ client }) => startsPerSecond(() => client.run({ argv: ['/bin/true'] })),
    ssh: (host) => startsPerSecond(() => host.run('/bin/true')),
    node: (node) => startsPerSecond(() => node.run('/bin/true')),
  },
  {
    name: 'keystroke echo (pty)',
    unit: 'ms',
    samplesPerRound: ECHOES,
    goal: 80,
    isAckSensitive: true,
    sample: typeOverServer(),
    ssh: typeOverSsh(),
  },
];

async function startsPerSecond(start: () => Promise<unknown>): Promise<number> {
  const ms = await timed(() => Promise.all(Array.from({ length: STARTS_AT_ONCE }, start)));
  return (STARTS_AT_ONCE / ms) * 1000;
}

/** Types one character and resolves when it has come back. */
type Typist = () => Promise<void>;

function typeOverServer(): Scenario['sample'] {
  const typists = new PerKey(startTypist);
  return async ({ client }) => timed(await typists.of(client));
}

function startTypist(client: BenchContext['client']): Promise<Typist> {
  return new Promise((ready, fail) => {
    let onEcho: () => void = () => undefined;
    let writes = 0;
    const started = (processId: string) =>
      ready(async () => {
        const echoed = new Promise<void>((resolve) => {
          onEcho = resolve;
        });
        writes += 1;
        await Promise.all([
          client.call('process/write', { processId, chunk: 'eA==', writeId: `w${writes}` }),
          echoed,
        ]);
      });
    client
      .run({ argv: ['cat'], tty: true, started }, (method) => {
        if (method === 'process/output') onEcho();
      })
      .catch(fail);
  });
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
