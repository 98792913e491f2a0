import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isMountPoint, markPrefix } from '../linux/host-changes/mount-point-marks.js';
import { ownProcessLabel } from '../linux/host-changes/process-label.js';
import { checkMountBudget } from '../linux/mount-budget.js';
import { hostControlSockets } from '../linux/sockets/host-control-sockets.js';
import { prepareSandbox } from '../prepare-sandbox.js';
import { parseSandboxContext } from './parse-sandbox-context.js';
import type { PolicyEntry } from './policy-model.js';
import { resolvePolicy } from './resolve-policy.js';

const context = { cwd: '/ws', workspaceRoots: ['/ws'] };
const denied = (count: number, path: (index: number) => string): PolicyEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    path: { type: 'path', path: path(index) },
    access: 'deny',
  }));
const resolve = (entries: PolicyEntry[], place = context): unknown =>
  resolvePolicy({ fileSystem: { type: 'restricted', entries }, network: 'restricted' }, place);

describe('the limits of one policy', () => {
  it.each<[string, PolicyEntry[]]>([
    ['2000 paths', denied(2001, (index) => `/ws/${index}`)],
    ['16384 levels', denied(200, (index) => `/ws/${'d/'.repeat(100)}${index}`)],
    ['256 levels', denied(1, () => `/ws${'/d'.repeat(256)}`)],
    ['4096 characters', denied(1, () => `/${'a'.repeat(4096)}`)],
    ['524288 characters in all', denied(200, (index) => `/${'a'.repeat(3000)}${index}`)],
  ])('%s', (what, entries) => {
    expect(() => resolve(entries)).toThrow(what);
  });

  it('count an entry once for each workspace root', () => {
    const workspaceRoots = Array.from({ length: 500 }, (_, index) => `/ws${index}`);
    const entries = Array.from(
      { length: 5 },
      (): PolicyEntry => ({ path: { type: 'workspaceRoots', subpath: 'x' }, access: 'deny' }),
    );
    expect(() => resolve(entries.slice(1), { cwd: '/ws', workspaceRoots })).not.toThrow();
    expect(() => resolve(entries, { cwd: '/ws', workspaceRoots })).toThrow('2000 paths');
  });

  it('are told before entries are multiplied by roots', () => {
    const glob = { path: { type: 'glob_pattern', pattern: 'codex-project-roots://x' }, access: 'deny' };
    const permissions = {
      type: 'managed',
      file_system: { type: 'restricted', entries: Array.from({ length: 1000 }, () => glob) },
      network: 'restricted',
    };
    const roots = (count: number) => Array.from({ length: count }, (_, index) => `/r${index}`);
    const parse = (workspaceRoots: string[]) => () =>
      parseSandboxContext({ permissions, workspaceRoots }, { cwd: '/' });
    for (const count of [3, 1_000_000]) {
      expect(parse(roots(count))).toThrow(
        expect.objectContaining({
          code: 'SANDBOX_POLICY_INVALID',
          message: expect.stringContaining('are more than 2000'),
        }),
      );
    }
  });

  it('what bubblewrap cannot mount is refused by its count', () => {
    const steps = Array.from({ length: 1450 }, (_, index) => ({
      type: 'coverMissing' as const,
      path: `/ws/${index}`,
      listable: false,
    }));
    expect(() => checkMountBudget({ steps }, 0)).not.toThrow();
    expect(() => checkMountBudget({ steps }, 1)).toThrow(/1450 mounts/);
  });
});

describe('full directories', () => {
  it('a mount point has few users: a directory full of their marks is something else', () => {
    const base = mkdtempSync(join(tmpdir(), 'marks-'));
    const label = ownProcessLabel();
    for (let index = 0; index < 1024; index += 1) {
      symlinkSync('x', `${base}/${markPrefix}${label.replace(/\d+$/, String(index))}`);
    }
    expect(isMountPoint(base, 0o1755)).toBe(true);
    symlinkSync('x', `${base}/${markPrefix}${label.replace(/\d+$/, '1024')}`);
    expect(isMountPoint(base, 0o1755)).toBe(false);
    rmSync(base, { recursive: true });
  });

  it('a home that is no directory has no sockets', async () => {
    const base = mkdtempSync(join(tmpdir(), 'home-'));
    writeFileSync(`${base}/file`, '');
    const { HOME } = process.env;
    process.env['HOME'] = `${base}/file`;
    try {
      expect(await hostControlSockets([])).toBeInstanceOf(Array);
    } finally {
      if (HOME === undefined) delete process.env['HOME'];
      else process.env['HOME'] = HOME;
      rmSync(base, { recursive: true });
    }
  });
});

describe.runIf(process.platform === 'linux')('a policy that cannot be mounted', () => {
  it('changes nothing on the host', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'refused-'));
    mkdirSync(`${cwd}/kept`);
    const entries: PolicyEntry[] = [
      { path: { type: 'root' }, access: 'read' },
      { path: { type: 'path', path: cwd }, access: 'write' },
      ...denied(1900, (index) => `${cwd}/m${index}`),
    ];
    const policy = { fileSystem: { type: 'restricted' as const, entries }, network: 'restricted' as const };
    await expect(prepareSandbox({ argv: ['true'], cwd, env: {}, policy })).rejects.toThrow(
      /mounts|no sandbox can run|Landlock/,
    );
    expect(readdirSync(cwd)).toEqual(['kept']);
    rmSync(cwd, { recursive: true });
  });
});
