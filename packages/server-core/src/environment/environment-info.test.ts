import { describe, expect, it } from 'vitest';
import { capabilitiesOf } from './capabilities.js';
import { describeEnvironment } from './environment-info.js';

const capabilities = capabilitiesOf({ canWatchFiles: true, canSandboxFiles: true });

const describe_ = (env: Record<string, string>) =>
  describeEnvironment({ version: '1.2.3', capabilities, cwd: '/srv/my work', env });

describe('describeEnvironment', () => {
  it('gives directories as file URIs', () => {
    expect(describe_({})).toMatchObject({ cwd: 'file:///srv/my%20work', temporaryDirectories: [] });
  });

  it('resolves a relative TMPDIR against the working directory', () => {
    expect(describe_({ TMPDIR: 'scratch' }).temporaryDirectories).toEqual(['file:///srv/my%20work/scratch']);
  });

  it('names the version that is spoken, its own, and a stable provider', () => {
    const { executorVersion, providerId } = describe_({});
    expect(executorVersion).toBe('0.169.0+ts.1.2.3');
    expect(providerId).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(describe_({}).providerId).toBe(providerId);
  });
});
