import { describe, expect, it } from 'vitest';
import { linuxFindings } from './host-findings.js';
import { classifyFailure, type LinuxHost, requiredOptions } from './host-probe.js';

const good: LinuxHost = {
  bubblewrap: {
    path: '/usr/bin/bwrap',
    version: '0.8.0',
    options: new Set([...requiredOptions, '--bind-fd', '--ro-bind-fd']),
  },
  namespaces: { works: true },
  mountsProc: true,
  signalEnv: '/usr/bin/env',
  landlockAbi: 7,
  appArmorRestrictsNamespaces: false,
  maxUserNamespaces: 1000,
  unprivilegedClone: true,
  isWsl1: false,
};
const blocked = {
  works: false,
  reason: 'user-namespaces',
  message: 'bwrap: setting up uid map: Permission denied',
} as const;
const finding = (host: Partial<LinuxHost>, id: string) =>
  linuxFindings({ ...good, ...host }).find((candidate) => candidate.id === id);

describe('the diagnosis', () => {
  it('of a good host has nothing to fix', () => {
    expect(linuxFindings(good).every((one) => one.status === 'ok' && one.fix === undefined)).toBe(true);
  });

  it.each<[string, Partial<LinuxHost>, string, RegExp]>([
    ['no bubblewrap', { bubblewrap: undefined }, 'bubblewrap', /bubblewrap/],
    [
      'an old bubblewrap',
      { bubblewrap: { path: '/usr/bin/bwrap', version: '0.4', options: new Set() } },
      'bubblewrap',
      /bubblewrap/,
    ],
    [
      'a bubblewrap without handles',
      { bubblewrap: { path: '/usr/bin/bwrap', version: '0.6', options: new Set(requiredOptions) } },
      'bind-by-handle',
      /bubblewrap/,
    ],
    [
      'no user namespaces at all',
      { namespaces: blocked, maxUserNamespaces: 0 },
      'namespaces',
      /^sysctl -w user\.max_user_namespaces=15000$/,
    ],
    [
      'none for ordinary users',
      { namespaces: blocked, unprivilegedClone: false },
      'namespaces',
      /^sysctl -w kernel\.unprivileged_userns_clone=1$/,
    ],
    [
      'AppArmor',
      { namespaces: blocked, appArmorRestrictsNamespaces: true },
      'namespaces',
      /apparmor_parser -r/,
    ],
    ['a container', { namespaces: blocked }, 'namespaces', /--security-opt seccomp=unconfined/],
    ['the first WSL', { namespaces: blocked, isWsl1: true }, 'namespaces', /^wsl --set-version/],
    ['a masked /proc', { mountsProc: false }, 'proc', /systempaths=unconfined/],
    ['no Landlock', { landlockAbi: 0 }, 'landlock', /lsm=landlock/],
    ['no launcher', { landlockAbi: undefined }, 'landlock', /npm run setup/],
  ])('%s comes with a fix', (_title, host, id, fix) => {
    expect(finding(host, id)?.status).not.toBe('ok');
    expect(finding(host, id)?.fix).toMatch(fix);
  });
});

describe("bubblewrap's own words", () => {
  it.each([
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'network-namespace'],
    ['bwrap: setting up uid map: Permission denied', 'user-namespaces'],
    [
      'bwrap: No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces.',
      'user-namespaces',
    ],
    ['bwrap: Creating new namespace failed: Operation not permitted', 'user-namespaces'],
    ['something else', 'unknown'],
  ])('%s', (message, expected) => {
    expect(classifyFailure(message)).toBe(expected);
  });
});
