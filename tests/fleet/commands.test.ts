// docs/fleet.md, line by line, and what people who run a fleet use: from nothing to three machines, and what they show.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExecServerClient } from '@codex/exec-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './support/broker.js';
import { isFull } from './support/full.js';
import { findBroker } from './support/nats-server.js';
import { type Program, startCommand, startProgram } from './support/programs.js';
import { runOnce } from './support/run-once.js';
import { until } from './support/until.js';

const GUIDE = readFileSync(fileURLToPath(new URL('../../docs/fleet.md', import.meta.url)), 'utf8');
const SETTABLE_CLOCK = fileURLToPath(new URL('./support/settable-clock.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fleet-guide-'));
/** A session holds its slot for so long after its client has left. */
const SHORT_MS = 100;
const running: Program[] = [];
let ports: { readonly broker: number; readonly monitor: number; readonly gateway: number };
let place: string[];

/** The lines of the guide that a shell is given, in order, without those for Codex. */
const lines = [...GUIDE.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .filter((line) => /^(?:exec-server|nats-server) /.test(line));

const here = (text: string): string =>
  text
    .replaceAll('4222', String(ports.broker))
    .replaceAll('8222', String(ports.monitor))
    .replaceAll('7777', String(ports.gateway));

const wordsOf = (line: string): string[] => here(line).split(/\s+/).slice(1);
const start = async (args: readonly string[]): Promise<Program> => {
  const program = await startProgram(args, {}, folder);
  running.push(program);
  return program;
};
const fleet = (...args: string[]) => runOnce(['fleet', ...args, ...place], { cwd: folder });

beforeAll(async () => {
  ports = { broker: await freePort(), monitor: await freePort(), gateway: await freePort() };
  place = ['--fleet', `nats://127.0.0.1:${ports.broker}`, '--credentials', 'admin.creds'];
});
afterAll(async () => {
  for (const program of running.reverse()) await program.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the guide', () => {
  it('begins with keys', async () => {
    const offline = lines.filter((line) => /^exec-server fleet (?:init|mint)/.test(line));
    expect(offline).toHaveLength(7);
    for (const line of offline) {
      const { code, stderr } = await runOnce(wordsOf(line), { cwd: folder });
      expect([code, stderr]).toEqual([0, '']);
    }
    const file = join(folder, 'fleet', 'broker.conf');
    writeFileSync(file, here(readFileSync(file, 'utf8')));
  });

  it('goes on with a broker and three machines', async () => {
    const [broker = ''] = lines.filter((line) => line.startsWith('nats-server'));
    running.push(await startCommand(findBroker(), wordsOf(broker), { cwd: folder, sign: /Server is ready/ }));
    const machines = lines.filter((line) => line.startsWith('exec-server --fleet'));
    for (const line of machines) {
      const { line: printed } = await start(wordsOf(line));
      expect(printed).toMatch(/^nats:\/\/127\.0\.0\.1:\d+ default\/x[123]$/);
    }
    expect(machines).toHaveLength(3);
  });

  it.skipIf(!isFull)('shows them', async () => {
    const listed = await fleet('ls', '--wait-ms', '5500');
    expect(listed.stdout.split('\n').map((line) => line.split(/\s+/).slice(0, 3))).toEqual([
      ['MACHINE', 'STATE', 'SESSIONS'],
      ...['x1', 'x2', 'x3'].map((name) => [`default/${name}`, 'serving', '0/256']),
      [''],
    ]);
    const { code, stdout } = await fleet('doctor');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^✓ broker +nats:\/\/127\.0\.0\.1:\d+ answers in \d+ ms$/);
    expect(stdout).toContain('✓ credentials  accepted');
    expect(stdout).toMatch(/^✓ machines +3 of this account: /m);
    for (const name of ['x1', 'x2', 'x3']) expect(stdout).toContain(`default/${name}`);
    expect(stdout).toMatch(/^✓ clocks +of the machines agree/m);
  });

  it('is used from TypeScript as it says', async () => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(GUIDE) ?? [];
    expect(here(code)).toContain(
      `'nats://127.0.0.1:${ports.broker}', {\n  environment: 'default',\n  credentials: 'client.creds',`,
    );
    const client = await ExecServerClient.connect(`nats://127.0.0.1:${ports.broker}`, {
      environment: 'default',
      credentials: join(folder, 'client.creds'),
      sessionTtlMs: SHORT_MS,
    });
    expect((await client.run('echo from a machine')).stdout.text).toBe('from a machine\n');
    await client.close();
  });

  it('is used through a gateway', async () => {
    const [line = ''] = lines.filter((one) => one.startsWith('exec-server gateway'));
    expect((await start(wordsOf(line))).line).toBe(`ws://127.0.0.1:${ports.gateway}`);
    const client = await ExecServerClient.connect(`ws://127.0.0.1:${ports.gateway}/e/default/m/x2`, {
      sessionTtlMs: SHORT_MS,
    });
    expect((await client.run('echo through a gateway')).stdout.text).toBe('through a gateway\n');
    const busy = await fleet('ls', '--json', '--wait-ms', isFull ? '5500' : '10');
    const machines = JSON.parse(busy.stdout) as { executor: string; sessions: number }[];
    if (isFull)
      expect(machines.filter(({ sessions }) => sessions === 1).map(({ executor }) => executor)).toEqual([
        'x2',
      ]);
    await client.close();
    await new Promise((resolve) => setTimeout(resolve, 5 * SHORT_MS));
  });
});

describe.skipIf(!isFull)('people', () => {
  it('are told of a machine whose clock differs, and that they may not ask', async () => {
    const args = ['fleet', 'mint', 'fleet', '--role', 'executor', '--machine', 'late', '--out', 'late.creds'];
    expect((await runOnce(args, { cwd: folder })).code).toBe(0);
    const late = await startProgram(
      ['--environment', 'late', '--credentials', 'late.creds', ...place.slice(0, 2)],
      { NODE_OPTIONS: `--import=${SETTABLE_CLOCK}` },
      folder,
    );
    running.push(late);
    late.signal('SIGPWR');
    await until(async () =>
      /^! clocks +differ from the one here: late\/late is 3600 s behind;/m.test(
        (await fleet('doctor')).stdout,
      ),
    );
    await late.stop();
    const asClient = await runOnce(
      ['fleet', 'doctor', ...place.slice(0, 2), '--credentials', 'client.creds'],
      { cwd: folder },
    );
    expect(asClient.code).toBe(0);
    expect(asClient.stdout).toMatch(/^! machines +not asked: .*--role admin/m);
  });

  it('list what was minted, and revoke by that list', async () => {
    const listed = await runOnce(['fleet', 'keys', 'fleet', '--json'], { cwd: folder });
    const keys = JSON.parse(listed.stdout) as { role: string; machine?: string; key: string }[];
    const late = keys.find(({ machine }) => machine === 'late');
    const revoked = await runOnce(['fleet', 'revoke', 'fleet', late?.key ?? ''], { cwd: folder });
    expect(revoked.stdout).toContain(`${late?.key} of account default is revoked`);
    const { stdout } = await runOnce(['fleet', 'keys', 'fleet'], { cwd: folder });
    expect(stdout).toMatch(new RegExp(`^default +executor +\\*/late +executor +revoked +${late?.key}$`, 'm'));
    expect(stdout).toMatch(/^default +client +\* +client +valid +U/m);
  });

  it('watch with top until they stop it', async () => {
    const { code, stdout } = await runOnce(['fleet', 'top', ...place], { cwd: folder, endAfterMs: 6500 });
    expect(code).toBe(0);
    expect(stdout).toContain('default/x1');
  });

  it('are told when their credentials do not let them look', async () => {
    const { code, stderr } = await runOnce(
      ['fleet', 'ls', ...place.slice(0, 2), '--credentials', 'client.creds'],
      { cwd: folder },
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('fleet mint --role admin');
  });

  it('drain a machine, which ends, and are told when there is none', async () => {
    const third = running.find(({ line }) => line.endsWith('default/x3'));
    const { code, stdout } = await fleet('drain', 'x3', '--environment', 'default');
    expect([code, stdout]).toEqual([
      0,
      'default/x3 drains: it takes no new sessions and ends after the last.\n',
    ]);
    expect(await third?.exited).toBe(0);
    const again = await fleet('drain', 'x3', '--environment', 'default');
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain('is not in the fleet');
  });

  it('collect numbers', async () => {
    const exporter = await start(['fleet', 'metrics', ...place, '--status-listen', '127.0.0.1:0']);
    const read = async (path: string): Promise<string> =>
      (await fetch(exporter.line.replace('/metrics', path))).text();
    await until(async () => (await read('/metrics')).includes('exec_fleet_machines 2'));
    expect(await read('/metrics')).toContain('exec_fleet_slots{environment="default",state="free"} 512');
    expect(JSON.parse(await read('/slots'))).toEqual({ default: { free: 512, busy: 0, draining: 0 } });
    const nobody = ExecServerClient.connect(`nats://127.0.0.1:${ports.broker}`, {
      environment: 'nowhere',
      credentials: join(folder, 'client.creds'),
      fleet: { acquireTimeoutMs: 100 },
    });
    await expect(nobody).rejects.toMatchObject({ code: 'fleet.noCapacity' });
    await until(async () =>
      (await read('/metrics')).includes('exec_fleet_no_capacity_total{environment="nowhere"} 1'),
    );
  });
});
