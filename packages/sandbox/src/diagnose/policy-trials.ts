// The kinds of policies that are tried, and what a command must and must not be able to do under each.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOnly, workspaceWrite } from '../policy/policy-constructors.js';
import type { SandboxPolicy } from '../policy/policy-model.js';
import { type Step, trialProgram } from './trial-program.js';

export interface PolicyTrial {
  readonly name: string;
  readonly policy: SandboxPolicy;
  readonly argv: readonly string[];
  /** What every step must come to. */
  readonly expected: Readonly<Record<string, 'done' | 'refused'>>;
}

/** Files and listeners that the commands try to reach; gone when closed. */
export class TrialGround {
  readonly workspace: string;
  readonly outside: string;
  readonly secret: string;
  readonly socket: string;
  readonly port: number;
  readonly #root: string;
  readonly #servers: readonly Server[];

  private constructor(root: string, servers: readonly [Server, Server]) {
    this.#root = root;
    this.#servers = servers;
    this.workspace = join(root, 'workspace');
    this.outside = join(root, 'outside');
    this.secret = join(root, 'secret');
    this.socket = join(root, 'socket');
    this.port = (servers[0].address() as AddressInfo).port;
    for (const path of [this.workspace, this.outside, this.secret]) mkdirSync(path);
    writeFileSync(join(this.outside, 'file'), 'readable');
    writeFileSync(join(this.secret, 'file'), 'secret');
  }

  static async open(): Promise<TrialGround> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-diagnosis-')));
    const listen = (at: { path: string } | { port: number; host: string }): Promise<Server> =>
      new Promise((resolve, reject) => {
        const server = createServer((socket) => socket.end());
        server.once('error', reject).listen(at, () => resolve(server));
      });
    const servers = await Promise.all([
      listen({ port: 0, host: '127.0.0.1' }),
      listen({ path: join(root, 'socket') }),
    ]);
    return new TrialGround(root, servers);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

export function policyTrials(ground: TrialGround): PolicyTrial[] {
  const steps: Record<string, Step> = {
    'read outside': { read: join(ground.outside, 'file') },
    'read what is denied': { read: join(ground.secret, 'file') },
    'write in the workspace': { write: join(ground.workspace, 'file') },
    'write outside': { write: join(ground.outside, 'new') },
    'reach the host': { connect: { port: ground.port, host: '127.0.0.1' } },
    'reach a unix socket of the host': { connect: { path: ground.socket } },
    'serve on the loopback interface': { serve: true },
  };
  const trial = (name: string, policy: SandboxPolicy, allowed: readonly string[]): PolicyTrial => ({
    name,
    policy,
    argv: [process.execPath, '-e', trialProgram, JSON.stringify(steps)],
    expected: Object.fromEntries(
      Object.keys(steps).map((step) => [step, allowed.includes(step) ? 'done' : 'refused']),
    ),
  });
  const reading = ['read outside', 'read what is denied'];
  const writing = [...reading, 'write in the workspace'];
  const confined = { temporaryDirectories: false };
  return [
    trial('read-only', readOnly(), reading),
    trial('workspace-write', workspaceWrite(confined), writing),
    trial('workspace-write, private loopback', workspaceWrite({ ...confined, network: 'loopback' }), [
      ...writing,
      'serve on the loopback interface',
    ]),
    trial('workspace-write, network', workspaceWrite({ ...confined, network: 'enabled' }), [
      ...writing,
      'reach the host',
      'serve on the loopback interface',
    ]),
    trial('read-only, denied reads', readOnly({ deny: [ground.secret] }), ['read outside']),
    trial('full write, denied reads', fullWriteWithout(ground.secret), [
      'read outside',
      'write in the workspace',
      'write outside',
    ]),
  ];
}

function fullWriteWithout(path: string): SandboxPolicy {
  return {
    fileSystem: {
      type: 'restricted',
      entries: [
        { path: { type: 'root' }, access: 'write' },
        { path: { type: 'path', path }, access: 'deny' },
      ],
    },
    network: 'restricted',
  };
}
