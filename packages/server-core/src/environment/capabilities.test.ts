import { createLauncher } from '@codex/launcher';
import { describe, expect, it } from 'vitest';
import { capabilitiesOf } from './capabilities.js';
import { canHoldHelper, findHostFacts } from './host-facts.js';

const BY_WATCHING = ['fsWatch', 'fsWatchMissing'] as const;
const BY_SANDBOX = ['capabilityDiscoverySandbox', 'sandboxedFileStreaming'] as const;

describe('the announced capabilities', () => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('follow from the facts: watching %s, sandboxed files %s', (canWatchFiles, canSandboxFiles) => {
    const capabilities = capabilitiesOf({ canWatchFiles, canSandboxFiles });
    for (const name of BY_WATCHING) expect([name, capabilities[name]]).toEqual([name, canWatchFiles]);
    for (const name of BY_SANDBOX) expect([name, capabilities[name]]).toEqual([name, canSandboxFiles]);
    expect(capabilities.fsWatchSandbox).toBe(canWatchFiles && canSandboxFiles);
  });
});

describe('the facts', () => {
  it('are that nothing is watched without the native launcher, and nothing sandboxed without the helper', async () => {
    const launcher = createLauncher({ nativePath: null });
    expect(await findHostFacts({ launcher })).toEqual({ canWatchFiles: false, canSandboxFiles: false });
  });

  const bubblewrap = { path: '/usr/bin/bwrap', version: '0.8.0', options: new Set<string>() };
  const works = { works: true } as const;
  const fails = { works: false, reason: 'user-namespaces', message: 'no' } as const;

  it.each([
    ['bubblewrap that works', { bubblewrap, namespaces: works, mountsProc: true }, 'x64', true],
    ['no bubblewrap', { bubblewrap: undefined, namespaces: fails, mountsProc: false }, 'x64', false],
    ['no user namespaces', { bubblewrap, namespaces: fails, mountsProc: false }, 'x64', false],
    ['no /proc of its own', { bubblewrap, namespaces: works, mountsProc: false }, 'x64', false],
    ['a processor without a filter', { bubblewrap, namespaces: works, mountsProc: true }, 'riscv64', false],
  ])('on a host with %s', (_, host, arch, isEnough) => {
    expect(canHoldHelper(host, arch)).toBe(isEnough);
  });
});
