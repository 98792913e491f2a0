import type { PermissionProfile, SandboxExplainResult } from '@codex/exec-protocol';
import * as library from '@codex/sandbox';
import { describe, expect, it } from 'vitest';
import { explainSandbox } from './explain-sandbox.js';

const root = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };
const deny = (pattern: string) => ({ path: { type: 'glob_pattern', pattern }, access: 'deny' });
const at = (path: string, access: string) => ({ path: { type: 'path', path }, access });

function explain(entries: readonly unknown[], path: string | null = null): SandboxExplainResult {
  const whatIf = {
    type: 'managed',
    file_system: { type: 'restricted', entries: [root, ...entries] },
    network: 'restricted',
  } as PermissionProfile;
  const asked = { sandbox: null, sandboxType: 'linuxSeccomp', cwd: '/w', tmpdir: '/tmp' } as const;
  return explainSandbox(library, { ...asked, denial: undefined, path, whatIf });
}

describe('what would allow a path', () => {
  it('names everything that denies it', () => {
    const { changes } = explain(
      [deny('/w/*.env'), deny('/w/x*'), deny('/w/y*'), at('/w/x.env', 'deny')],
      '/w/x.env',
    );
    expect(changes.map(({ access, remove }) => [access, remove])).toEqual([
      ['read', ['/w/*.env', '/w/x*', '/w/x.env']],
      ['write', ['/w/*.env', '/w/x*', '/w/x.env']],
    ]);
  });

  it('is not searched for in a policy with many entries: each try takes the whole of it', () => {
    const many = Array.from({ length: 400 }, (_, index) => deny(`/w/*x*{,${index}}`));
    const { decision, changes } = explain(many, '/w/xx');
    expect(decision).toMatchObject({ read: false, decidedBy: 'glob' });
    expect(changes).toEqual([]);
  });
});

it('nothing is said to be unrestricted that has a sandbox, also when its policy is not known', () => {
  const asked = { sandbox: null, cwd: '/w', tmpdir: '/tmp', denial: undefined, path: '/w/x', whatIf: null };
  expect(() => explainSandbox(library, { ...asked, sandboxType: 'linuxSeccomp' })).toThrow('is not known');
  expect(explainSandbox(library, { ...asked, sandboxType: 'none' }).decision?.decidedBy).toBe('unrestricted');
});

it('a path that takes too long to match is refused', () => {
  const many = Array.from({ length: 100 }, (_, index) => deny(`/w/**/{a,b,c,d,e,f,g,h,i,j}${index}*`));
  expect(() => explain(many, `/w/${'b/'.repeat(500)}`)).toThrow('too long to be explained');
  expect(() => explain([], `/w/${'b/'.repeat(5000)}`)).toThrow('too long to be explained');
  expect(explain(many, '/w/b').decision?.read).toBe(true);
});

it('a policy that is too much for the sandbox is refused in the words of the sandbox', () => {
  const deep = Array.from({ length: 1000 }, (_, index) => at(`/w/${'b/'.repeat(20)}${index}`, 'write'));
  expect(() => explain(deep)).toThrow(expect.objectContaining({ code: -32602 }));
});

it('the tree hangs each rule below the nearest one above it', () => {
  const { nodes } = explain([at('/w', 'write'), at('/w/a/b', 'deny'), at('/wide', 'deny')]);
  const below = (path: string) =>
    nodes.find((node) => node.path === path)?.children.map((index) => nodes[index]?.path);
  expect(below('/')).toEqual(['/w', '/wide']);
  expect(below('/w')).toEqual(['/w/a/b']);
});
