import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  fullAccess,
  MountedNames,
  readOnly,
  resolvePolicy,
  type SandboxPolicy,
  workspaceWrite,
} from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EverWritable } from '../trust/ever-writable.js';
import { callBoundary } from './call-boundary.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'boundary-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const boundary = (policy: SandboxPolicy, keptAsTheyAre: string[] = []) =>
  callBoundary({
    policy,
    context: { cwd: folder, workspaceRoots: [folder] },
    keptAsTheyAre,
    everWritable: new EverWritable(() => new MountedNames('')),
  });
const workspace = () => workspaceWrite({ temporaryDirectories: false });

describe('callBoundary', () => {
  it('lets nothing leave a sandbox that hides something', () => {
    expect(boundary(workspace()).leaving.isTrusted).toBe(true);
    expect(boundary(readOnly({ deny: ['/secret'] })).leaving.isTrusted).toBe(false);
    expect(boundary(readOnly({ deny: ['**/*.pem'] })).leaving.isTrusted).toBe(false);
    const minimal: SandboxPolicy = {
      fileSystem: { type: 'restricted', entries: [{ path: { type: 'minimal' }, access: 'read' }] },
      network: 'restricted',
    };
    expect(boundary(minimal).leaving.isTrusted).toBe(false);
  });

  it('knows where there is no sandbox', () => {
    expect(boundary(fullAccess()).hasSandbox).toBe(false);
    expect(boundary(readOnly()).hasSandbox).toBe(true);
  });

  it('keeps as they are, where they are writable, files, folders, what is missing and what a link leads to', () => {
    mkdirSync(join(folder, 'rules'));
    writeFileSync(join(folder, 'log'), '');
    symlinkSync(join(folder, 'rules'), join(folder, 'link'));
    const kept = ['link', 'log', 'missing/rules'].map((name) => join(folder, name));
    const { policy, places } = boundary(workspace(), [...kept, '/etc/codex/rules']);
    const { rules } = resolvePolicy(policy, { cwd: folder, workspaceRoots: [folder] });
    const readable = rules.filter(({ access }) => access === 'read').map(({ path }) => path);
    expect(readable.sort()).toEqual([
      '/',
      ...['log', 'missing/rules', 'rules'].map((name) => join(folder, name)).sort(),
    ]);
    expect(places.isWritable(join(folder, 'x'))).toBe(true);
  });

  it('keeps them under every name that the host has for them', () => {
    const mounts = `22 1 8:1 / / rw - ext4 a rw\n23 22 8:1 /srv/rules ${folder}/shown rw - ext4 a rw\n`;
    const { policy } = callBoundary({
      policy: workspace(),
      context: { cwd: folder, workspaceRoots: [folder] },
      keptAsTheyAre: ['/srv/rules/team'],
      everWritable: new EverWritable(() => new MountedNames(mounts)),
    });
    const { rules } = resolvePolicy(policy, { cwd: folder, workspaceRoots: [folder] });
    expect(rules).toContainEqual(
      expect.objectContaining({ access: 'read', path: join(folder, 'shown', 'team') }),
    );
  });

  it('takes workspaces, temporary folders and what was writable before for writable', () => {
    const everWritable = new EverWritable(() => new MountedNames(''));
    const context = { cwd: '/', workspaceRoots: [folder], tmpdir: '/var/own-tmp' };
    const places = (policy: SandboxPolicy, more: Partial<typeof context> = {}) =>
      callBoundary({ policy, context: { ...context, ...more }, keptAsTheyAre: [], everWritable }).places;
    expect(['/opt', folder, '/tmp', '/var/own-tmp'].map(places(readOnly()).isWritable)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    places(fullAccess());
    expect(places(readOnly(), { workspaceRoots: ['/'] }).isWritable('/opt')).toBe(false);
    places(workspaceWrite({ roots: ['/opt'] }));
    const { isWritable, isWritableAnywhere } = places(readOnly());
    expect([isWritable('/opt/x'), isWritableAnywhere('/opt/x'), isWritable('/usr')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('knows what is writable by where it really lies', () => {
    symlinkSync('/usr', join(folder, 'usr'));
    symlinkSync(folder, '/tmp/boundary-link');
    try {
      const { places } = boundary(workspace());
      expect(places.isWritableAnywhere(join(folder, 'usr', 'bin'))).toBe(true);
      // Also what is not there yet.
      expect(places.isWritableAnywhere('/tmp/boundary-link/bin')).toBe(true);
      expect(places.isWritableAnywhere('/usr/bin')).toBe(false);
    } finally {
      rmSync('/tmp/boundary-link');
    }
  });
});
