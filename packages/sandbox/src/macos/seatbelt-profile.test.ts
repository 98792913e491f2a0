import { describe, expect, it } from 'vitest';
import { readOnly, workspaceWrite } from '../policy/policy-constructors.js';
import type { SandboxPolicy } from '../policy/policy-model.js';
import { resolvePolicy } from '../policy/resolve-policy.js';
import { baseProfile } from './seatbelt-base.js';
import { buildSeatbeltCommand } from './seatbelt-profile.js';

const host = {
  resolveAlias: (path: string) => (/^\/(tmp|var)(\/|$)/.test(path) ? `/private${path}` : path),
  isFile: (path: string) => path.endsWith('.key'),
};
const build = (policy: SandboxPolicy) =>
  buildSeatbeltCommand(
    resolvePolicy(policy, { cwd: '/ws', workspaceRoots: ['/ws'], protectedNames: ['.git'] }),
    host,
  );
const own = (policy: SandboxPolicy): string[] =>
  build(policy)
    .profile.slice(baseProfile.length + 1)
    .split('\n');

describe('the seatbelt profile', () => {
  it('begins by denying everything', () => {
    expect(baseProfile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  });

  it('read-only', () => {
    expect(own(readOnly()).slice(0, 1)).toEqual([
      '(allow file-read* file-test-existence file-map-executable (subpath (param "READ_0")))',
    ]);
    expect(own(readOnly()).join('\n')).not.toContain('file-write');
    expect(own(readOnly()).join('\n')).not.toContain('network');
    expect(build(readOnly()).argv.slice(3)).toEqual(['-DREAD_0=/', '--']);
  });

  it('workspace-write with a denied file and a glob', () => {
    const policy = workspaceWrite({ deny: ['/ws/deep/server.key', '/ws/**/*.env'] });
    expect(own(policy)).toEqual([
      '(allow file-read* file-test-existence file-map-executable (subpath (param "READ_0")))',
      '(allow file-read* file-test-existence file-map-executable (subpath (param "WRITE_1")))',
      '(allow file-write* (subpath (param "WRITE_1")))',
      '(deny file-write* (literal (param "PROTECTED_2")) (subpath (param "PROTECTED_2")))',
      '(allow file-read* file-test-existence file-map-executable (subpath (param "WRITE_3")))',
      '(allow file-write* (subpath (param "WRITE_3")))',
      '(deny file-write* (literal (param "PROTECTED_4")) (subpath (param "PROTECTED_4")))',
      '(deny file-read* file-write* (literal (param "DENY_5")))',
      '(deny file-read* file-write* (regex #"^\\/ws\\/(.*/)?[^/]*\\.env$"))',
      '(deny file-write-unlink (require-all (literal (param "ANCESTOR_6")) (vnode-type DIRECTORY)))',
      '(deny file-write-unlink (require-all (literal (param "ANCESTOR_7")) (vnode-type DIRECTORY)))',
      '(deny file-write-unlink (require-all (literal (param "ANCESTOR_8")) (vnode-type DIRECTORY)))',
    ]);
    expect(build(policy).argv.slice(3)).toEqual([
      '-DREAD_0=/',
      '-DWRITE_1=/private/tmp',
      '-DPROTECTED_2=/private/tmp/.git',
      '-DWRITE_3=/ws',
      '-DPROTECTED_4=/ws/.git',
      '-DDENY_5=/ws/deep/server.key',
      '-DANCESTOR_6=/private/tmp',
      '-DANCESTOR_7=/ws',
      '-DANCESTOR_8=/ws/deep',
      '--',
    ]);
  });

  it('a path is never profile text', () => {
    const policy = workspaceWrite({ temporaryDirectories: false, roots: ['/a") (allow default) ("'] });
    expect(build(policy).profile).not.toContain('allow default');
  });

  it('the network is opened only when the policy says so', () => {
    expect(build(readOnly({ network: 'enabled' })).profile).toContain('(allow network-outbound)\n');
    const loopback = build(readOnly({ network: 'loopback' })).profile;
    expect(loopback).toContain('localhost:*');
    expect(loopback).not.toContain('(allow network-outbound)\n');
  });

  it('the system directories are readable, and nothing of them writable, without the root', () => {
    const minimal = own({
      fileSystem: { type: 'restricted', entries: [{ path: { type: 'minimal' }, access: 'read' }] },
      network: 'restricted',
    }).join('\n');
    expect(minimal).toContain('(subpath "/usr/lib")');
    expect(minimal).not.toContain('file-write');
  });

  it('a glob with a quote is refused', () => {
    expect(() => build(workspaceWrite({ deny: ['/ws/*".env'] }))).toThrow(/quote/);
  });
});
