import { describe, expect, it } from 'vitest';
import type { MountPlan } from '../mount-plan.js';
import { buildBwrapArguments } from './bwrap-arguments.js';
import { DescriptorList } from './descriptor-list.js';

const plan: MountPlan = {
  base: 'readOnly',
  steps: [
    { type: 'bind', path: '/ws' },
    { type: 'readOnlyBind', path: '/ws/.git' },
    { type: 'hideFile', path: '/ws/secret' },
  ],
  guardedLinks: [],
  unclaimable: [],
  removedAfterwards: [],
  warnings: [],
};

function build(
  supported: readonly string[],
  more: Partial<Parameters<typeof buildBwrapArguments>[0]> = {},
): {
  options: string[];
  keptMounts: readonly string[];
  settledAt: number | undefined;
  paths: Map<string, string>;
  warnings: readonly string[];
} {
  const descriptors = new DescriptorList();
  const { options, keptMounts, warnings } = buildBwrapArguments(
    {
      plan,
      cwd: '/ws',
      env: {},
      privateNetwork: true,
      seccompProgram: new Uint8Array(8),
      keepTerminal: false,
      dieWithParent: true,
      mountProc: true,
      hostDevices: false,
      nullDeviceOnly: false,
      kernelSettings: ['/proc/sys'],
      supported: new Set(supported),
      replaced: [],
      ...more,
    },
    descriptors,
  );
  const paths = descriptors.list.flatMap((grant): [string, string][] =>
    'path' in grant ? [[String(grant.as), grant.path]] : [],
  );
  const settledAt = descriptors.list.find((grant) => 'settled' in grant)?.as;
  return {
    options: Buffer.from(options).toString().split('\0'),
    keptMounts,
    settledAt,
    paths: new Map(paths),
    warnings,
  };
}

/** What is mounted from where, for one option. */
function sources(options: readonly string[], option: string): [string, string][] {
  return options.flatMap((value, index): [string, string][] =>
    value === option ? [[options[index + 1] ?? '', options[index + 2] ?? '']] : [],
  );
}

describe('the bubblewrap arguments', () => {
  it('name no source of a mount that a command could swap', () => {
    const { options, paths, warnings } = build(['--bind-fd', '--ro-bind-fd']);
    const byName = ['--bind', '--ro-bind'].flatMap((option) => sources(options, option));
    expect(byName).toEqual([
      ['/', '/'],
      ['/proc/sys', '/proc/sys'],
      ['/dev/null', '/ws/secret'],
    ]);
    const byHandle = (option: string): unknown =>
      sources(options, option).map(([fd, destination]) => [paths.get(fd), destination]);
    expect(byHandle('--bind-fd')).toEqual([['/ws', '/ws']]);
    expect(byHandle('--ro-bind-fd')).toEqual([['/ws/.git', '/ws/.git']]);
    expect(warnings).toEqual([]);
  });

  it('show one device where no more is needed, and never those of the host', () => {
    const empty: MountPlan = { ...plan, base: 'empty' };
    const devicesOf = (of: MountPlan, nullDeviceOnly: boolean): unknown => {
      const { options } = build(['--bind-fd', '--ro-bind-fd'], { plan: of, nullDeviceOnly });
      return { folder: options.includes('--dev'), bound: sources(options, '--dev-bind') };
    };
    const usual = { folder: true, bound: [] };
    expect(devicesOf(empty, true)).toEqual({ folder: false, bound: [['/dev/null', '/dev/null']] });
    expect(devicesOf(empty, false)).toEqual(usual);
    expect(devicesOf(plan, true)).toEqual(usual);
  });

  it.each([[[]], [['--bind-fd']]])('warn where bubblewrap knows only %j', (supported) => {
    const { options, warnings } = build(supported);
    expect(sources(options, '--ro-bind')).toContainEqual(['/ws/.git', '/ws/.git']);
    expect(warnings.join()).toMatch(/no --ro-bind-fd/);
  });

  it('tell when the mounts are made, where one of them has to stay', () => {
    const { options, keptMounts, settledAt } = build([]);
    expect(keptMounts).toEqual(['/ws', '/ws/.git', '/ws/secret']);
    expect(options[options.indexOf('--block-fd') + 1]).toBe(String(settledAt));
    const replaced = [{ path: '/bin/bash', by: '/own/bash' }];
    expect(build([], { plan: { ...plan, steps: [] }, replaced }).keptMounts).toEqual(['/bin/bash']);
    const nothing = build([], { plan: { ...plan, steps: [{ type: 'bind', path: '/ws' }] } });
    expect(nothing).toMatchObject({ keptMounts: [], settledAt: undefined });
    expect(nothing.options).not.toContain('--block-fd');
  });
});
