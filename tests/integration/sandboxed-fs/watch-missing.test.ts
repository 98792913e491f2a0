// `fs/watchMissing` under a restriction: told once when something may have appeared that the policy lets be read.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../fs/support/fs-fixture.js';
import { childrenNamed, helperPids } from './support/helper-processes.js';
import {
  policyOf,
  type SandboxFixture,
  setUpSandboxed,
  workspaceOnly,
} from './support/sandboxed-fs-fixture.js';

let lastId = 0;

interface Question {
  readonly missing: readonly string[];
  readonly present?: string;
  readonly sandbox?: object;
}

async function watch({ client, ws }: SandboxFixture, question: Question): Promise<boolean> {
  const { missing, present, sandbox = workspaceOnly(ws) } = question;
  const { watching } = await client.call<{ watching: boolean }>('fs/watchMissing', {
    watchId: ++lastId,
    missing,
    ...(present === undefined ? {} : { present }),
    sandbox,
  });
  return watching;
}

const told = ({ client }: SandboxFixture) =>
  client.notifications
    .filter(({ method }) => method === 'fs/missingChanged')
    .map(({ params }) => params['watchId']);

const untilTold = (fixture: SandboxFixture) =>
  eventually('fs/missingChanged', () => told(fixture).includes(lastId));

const pause = () => new Promise((resolve) => setTimeout(resolve, 150));

const hiding = (ws: string) =>
  policyOf(ws, [
    [ws, 'write'],
    [join(ws, 'private'), 'deny'],
    [join(ws, '**/*.secret'), 'deny'],
  ]);

describe('fs/watchMissing in a sandbox', () => {
  it.each<[what: string, missing: string, change: (ws: string) => void]>([
    ['a file appears', 'new', (ws) => writeFileSync(join(ws, 'new'), '')],
    ['a directory on the way appears', 'a/b/c', (ws) => mkdirSync(join(ws, 'a'))],
    ['a file is moved there', 'd/new', (ws) => renameSync(join(ws, 'inside'), join(ws, 'd/new'))],
    ['a directory on the way is removed', 'd/new', (ws) => rmSync(join(ws, 'd'), { recursive: true })],
    ['a directory on the way gets another mode', 'd/new', (ws) => chmodSync(join(ws, 'd'), 0o700)],
  ])('tells once that %s', async (_, missing, change) => {
    const fixture = await setUpSandboxed();
    const { ws, outside } = fixture;
    mkdirSync(join(ws, 'd'));
    expect(await watch(fixture, { missing: [join(ws, missing)] })).toBe(true);
    writeFileSync(join(ws, 'unrelated'), '');
    writeFileSync(join(outside, 'new'), '');
    await pause();
    expect(told(fixture)).toEqual([]);
    change(ws);
    await untilTold(fixture);
    await eventually('the relay is gone', () => childrenNamed('--watch').length === 0);
    expect(told(fixture)).toEqual([lastId]);
  });

  it('tells of a granted directory that was not there', async () => {
    const fixture = await setUpSandboxed();
    const { ws } = fixture;
    const granted = join(ws, 'granted');
    const sandbox = policyOf(ws, [
      [granted, 'read'],
      [join(ws, 'inside'), 'read'],
    ]);
    expect(await watch(fixture, { missing: [join(granted, 'new')], sandbox })).toBe(true);
    await pause();
    expect(told(fixture)).toEqual([]);
    mkdirSync(granted);
    await untilTold(fixture);
  });

  it('tells that an entry which was there changes', async () => {
    const fixture = await setUpSandboxed();
    const { ws } = fixture;
    expect(await watch(fixture, { missing: [join(ws, 'new')], present: join(ws, 'inside') })).toBe(true);
    writeFileSync(join(ws, 'inside'), 'other');
    await untilTold(fixture);
  });

  it('does not watch what is there, what the policy hides, and what lies behind a link', async () => {
    const fixture = await setUpSandboxed();
    const { ws, outside } = fixture;
    mkdirSync(join(ws, 'private'));
    symlinkSync(outside, join(ws, 'link'));
    const sandbox = hiding(ws);
    for (const path of ['inside', 'private/new', 'new.secret', 'link/new']) {
      expect(await watch(fixture, { missing: [join(ws, path)], sandbox })).toBe(false);
    }
    expect(await watch(fixture, { missing: [join(outside, 'new')], sandbox })).toBe(false);
    const present = join(outside, 'secret');
    expect(await watch(fixture, { missing: [join(ws, 'new')], present, sandbox })).toBe(false);
    expect(await watch(fixture, { missing: [join(ws, 'new')], present: join(ws, 'private'), sandbox })).toBe(
      false,
    );
  });

  it('tells when its helper is lost', async () => {
    const fixture = await setUpSandboxed();
    expect(await watch(fixture, { missing: [join(fixture.ws, 'new')] })).toBe(true);
    for (const pid of helperPids()) process.kill(pid, 'SIGKILL');
    await untilTold(fixture);
  });

  it('refuses a policy that makes no sense, and takes one that restricts nothing', async () => {
    const fixture = await setUpSandboxed();
    const { client, ws } = fixture;
    const senseless = { permissions: { type: 'managed' } };
    const refused = { watchId: ++lastId, missing: [join(ws, 'new')], sandbox: senseless };
    expect((await client.refusal('fs/watchMissing', refused)).code).toBe(-32602);
    expect(
      await watch(fixture, { missing: [join(ws, 'new')], sandbox: { permissions: { type: 'disabled' } } }),
    ).toBe(true);
    expect(helperPids()).toEqual([]);
    writeFileSync(join(ws, 'new'), '');
    await untilTold(fixture);
  });
});
