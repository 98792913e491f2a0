import { createLauncher } from '@codex/launcher';
import { describe, expect, it } from 'vitest';
import { capabilitiesOf } from './capabilities.js';
import { findHostFacts } from './host-facts.js';

const BY_WATCHING = ['fsWatch', 'fsWatchMissing'] as const;
const BY_SANDBOX = [
  'capabilityDiscoverySandbox',
  'sandboxedFileStreaming',
  ...(process.platform === 'linux' ? (['linuxApprovedRootWritePreservesRestrictions'] as const) : []),
] as const;

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
    const launcher = createLauncher({ launcherProgram: null });
    expect(await findHostFacts({ launcher })).toEqual({ canWatchFiles: false, canSandboxFiles: false });
  });
});
