// What the diagnosis says about a policy is what happens to a command under it: hosts of several kinds, tried for real.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import {
  diagnoseHost,
  diagnosePolicies,
  type LinuxHost,
  type PolicyDiagnosis,
  probeLinuxHost,
} from '@codex/sandbox';
import { beforeAll, describe, expect, it } from 'vitest';

const byName = (policies: readonly PolicyDiagnosis[]) =>
  Object.fromEntries(policies.map(({ policy, enforceable }) => [policy, enforceable]));

describe('the diagnosis of policies', () => {
  let host: LinuxHost;
  let withoutBubblewrap: LinuxHost;
  beforeAll(async () => {
    host = await probeLinuxHost();
    withoutBubblewrap = await probeLinuxHost({ searchPath: '/nonexistent' });
  });

  it('with bubblewrap all hold, and nothing is left behind', async () => {
    const policies = await diagnosePolicies({ host });
    expect(byName(policies)).toEqual({
      'read-only': true,
      'workspace-write': true,
      'workspace-write, private loopback': true,
      'workspace-write, network': true,
      'read-only, denied reads': true,
      'full write, denied reads': true,
    });
    expect(policies.every(({ by, reason }) => by === 'bubblewrap' && reason === undefined)).toBe(true);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('sandbox-diagnosis-'))).toEqual([]);
    expect((await diagnoseHost(host)).usable).toBe(true);
  });

  it('Landlock alone holds nothing that nobody accepted, and says what would have to be', async () => {
    const policies = await diagnosePolicies({ host: withoutBubblewrap });
    expect(policies.some(({ enforceable }) => enforceable)).toBe(false);
    const readOnlyOne = policies.find(({ policy }) => policy === 'read-only');
    expect(readOnlyOne).toMatchObject({
      by: 'landlock',
      accept: expect.arrayContaining(['host-proc']),
      reason: expect.stringContaining('host-proc'),
      fix: expect.stringContaining('bubblewrap'),
    });
    // No name makes a denied path inside a readable one.
    expect(policies.find(({ policy }) => policy === 'read-only, denied reads')).toMatchObject({ by: 'none' });
    expect((await diagnoseHost(withoutBubblewrap)).usable).toBe(false);
  });

  it('what is accepted is tried like everything else', async () => {
    const accept = ['host-proc', 'root-capabilities', 'unprotected-metadata', 'host-attributes'] as const;
    const policies = await diagnosePolicies({ host: withoutBubblewrap, accept });
    expect(byName(policies)).toEqual({
      'read-only': true,
      'workspace-write': true,
      'workspace-write, private loopback': false,
      'workspace-write, network': true,
      'read-only, denied reads': false,
      'full write, denied reads': false,
    });
    expect(policies[0]?.weaker?.join()).toContain('process list');
  });

  it('does not believe facts that are not so: a sandbox that fails is not enforceable', async () => {
    const broken = {
      ...host,
      bubblewrap: { path: '/bin/false', version: '1.0', options: host.bubblewrap?.options ?? new Set() },
    };
    const policies = await diagnosePolicies({ host: broken });
    expect(policies.some(({ enforceable }) => enforceable)).toBe(false);
    expect(policies[0]).toMatchObject({ by: 'none', reason: expect.any(String) });
    expect((await diagnoseHost(broken)).usable).toBe(false);
  });

  it('does not believe a sandbox that confines nothing', async () => {
    const folder = mkdtempSync('/var/tmp/sandbox-test-');
    const wrapper = `${folder}/bwrap`;
    // It takes the options, ignores them, and runs the command.
    writeFileSync(wrapper, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n', {
      mode: 0o755,
    });
    const options = host.bubblewrap?.options ?? new Set<string>();
    const loose = { ...host, bubblewrap: { path: wrapper, version: '1.0', options } };
    const policies = await diagnosePolicies({ host: loose });
    rmSync(folder, { recursive: true });
    expect(policies.some(({ enforceable }) => enforceable)).toBe(false);
    expect(policies[0]?.reason).toContain('a command could write outside');
  });
});
