import type { InheritedFd } from '@codex/launcher';
import { describe, expect, it } from 'vitest';
import { type PathRule, resolvePolicy } from '../../policy/resolve-policy.js';
import { areSame, ForeseenDescriptors } from './foreseen-descriptors.js';

const context = { cwd: '/ws', workspaceRoots: ['/ws'] };
const policyFor = (rules: readonly PathRule[]) => ({
  ...resolvePolicy({ fileSystem: { type: 'restricted', entries: [] }, network: 'restricted' }, context),
  rules,
});
const identity = { device: 5n, inode: 7n };
const list: readonly InheritedFd[] = [
  { report: true, as: 3 },
  { path: '/ws', as: 4, identity },
  { data: Uint8Array.of(1, 2), as: 5 },
];

describe('foreseen descriptors', () => {
  it.each<[string, readonly InheritedFd[]]>([
    ['another path', [list[0], { path: '/other', as: 4, identity }, list[2]] as InheritedFd[]],
    [
      'another directory at the same path',
      [list[0], { path: '/ws', as: 4, identity: { device: 5n, inode: 8n } }, list[2]] as InheritedFd[],
    ],
    [
      'the same number on another device',
      [list[0], { path: '/ws', as: 4, identity: { device: 6n, inode: 7n } }, list[2]] as InheritedFd[],
    ],
    ['nothing known about it', [list[0], { path: '/ws', as: 4 }, list[2]] as InheritedFd[]],
    ['another filter', [list[0], list[1], { data: Uint8Array.of(1, 3), as: 5 }] as InheritedFd[]],
    ['one less', list.slice(0, 2)],
    ['one more', [...list, { path: '/more', as: 6 }]],
    ['another order', [list[1], list[0], list[2]] as InheritedFd[]],
  ])('are not taken for %s', (_what, other) => {
    expect(areSame(list, other)).toBe(false);
    expect(areSame(other, list)).toBe(false);
  });

  it('are taken for the same', () => {
    expect(areSame(list, structuredClone(list))).toBe(true);
  });

  it('are those of the last sandbox of the same rules, and as they were then', () => {
    const foreseen = new ForeseenDescriptors();
    const policy = policyFor([{ path: '/ws', access: 'write' }]);
    expect(foreseen.of(policy)).toBeUndefined();
    const growing = [...list];
    foreseen.remember(policy, growing);
    growing.push({ path: '/later', as: 6 });
    expect(foreseen.of(policyFor([{ path: '/ws', access: 'write' }]))).toEqual(list);
    expect(foreseen.of(policyFor([{ path: '/ws', access: 'read' }]))).toBeUndefined();
    expect(foreseen.of({ ...policy, network: 'enabled' })).toBeUndefined();
  });

  it('are not kept for a policy whose denied files are searched for: a search may take seconds', () => {
    const foreseen = new ForeseenDescriptors();
    const policy = { ...policyFor([{ path: '/ws', access: 'write' }]), denyGlobs: ['/ws/**/*.env'] };
    foreseen.remember(policy, list);
    expect(foreseen.of(policy)).toBeUndefined();
    foreseen.remember({ ...policy, denyGlobs: [] }, list);
    expect(foreseen.of(policy)).toBeUndefined();
  });

  it('are kept for the last policies alone', () => {
    const foreseen = new ForeseenDescriptors();
    const policies = Array.from({ length: 80 }, (_, index) =>
      policyFor([{ path: `/ws/${index}`, access: 'write' }]),
    );
    for (const policy of policies) foreseen.remember(policy, list);
    expect(policies.filter((policy) => foreseen.of(policy) !== undefined)).toHaveLength(64);
    expect(policies.slice(0, 16).every((policy) => foreseen.of(policy) === undefined)).toBe(true);
  });
});
