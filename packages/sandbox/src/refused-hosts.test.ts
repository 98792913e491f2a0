// What a host is told that cannot enforce a policy: whoever reads the refusal has to find in it what to do.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinuxHost } from './linux/host-probe.js';
import { readOnly, workspaceWrite } from './policy/policy-constructors.js';
import { prepareSandbox } from './prepare-sandbox.js';

const withoutBubblewrap: LinuxHost = {
  bubblewrap: undefined,
  namespaces: { works: false, reason: 'no-bubblewrap', message: 'bubblewrap is not installed' },
  mountsProc: false,
  signalEnv: '/usr/bin/env',
  landlockAbi: 7,
  appArmorRestrictsNamespaces: false,
  maxUserNamespaces: 15_000,
  unprivilegedClone: true,
  isWsl1: false,
};

describe.skipIf(process.platform !== 'linux')('a host without bubblewrap', () => {
  const cases = [
    ['Landlock and nothing accepted', withoutBubblewrap, readOnly(), /host-proc/],
    [
      'Landlock and a private loopback',
      withoutBubblewrap,
      workspaceWrite({ network: 'loopback' }),
      /loopback/,
    ],
    ['no Landlock', { ...withoutBubblewrap, landlockAbi: 0 }, readOnly(), /no sandbox can run here/],
  ] as const;
  it.each(cases)('with %s is told what to install', async (_, host, policy, reason) => {
    const refusal = await prepareSandbox({ argv: ['true'], cwd: '/', env: {}, policy }, { host }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringMatching(reason) });
    expect(refusal).toMatchObject({ message: expect.stringMatching(/to fix it: .*bubblewrap/) });
  });
});

describe('a Node that is too old', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('is named before anything is looked at', async () => {
    vi.stubGlobal('process', Object.create(process, { versions: { value: { node: '18.20.8' } } }));
    const request = { argv: ['true'], cwd: '/', env: {}, policy: readOnly() };
    await expect(prepareSandbox(request)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('this is Node 18.20.8'),
    });
  });
});
