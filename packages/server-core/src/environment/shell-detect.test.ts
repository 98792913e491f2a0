import { describe, expect, it } from 'vitest';
import { detectShell } from './shell-detect.js';

const host = (platform: string, loginShell: string | null, installed: readonly string[]) => ({
  platform,
  loginShell,
  isExecutable: (path: string) => installed.includes(path),
});

describe('detectShell', () => {
  it("takes the user's own shell", () => {
    expect(detectShell(host('linux', '/opt/bin/zsh', ['/opt/bin/zsh', '/bin/bash']))).toEqual({
      name: 'zsh',
      path: '/opt/bin/zsh',
    });
  });

  it.each([
    ['that nobody knows how to drive', '/usr/bin/fish'],
    ['that is no shell', '/usr/sbin/nologin'],
    ['that is not installed', '/bin/zsh'],
    ['that is missing', null],
  ])('passes over a login shell %s', (_why, loginShell) => {
    const installed = ['/usr/bin/fish', '/usr/sbin/nologin', '/bin/bash'];
    expect(detectShell(host('linux', loginShell, installed))).toEqual({ name: 'bash', path: '/bin/bash' });
  });

  it('prefers zsh on macOS', () => {
    expect(detectShell(host('darwin', null, ['/bin/zsh', '/bin/bash']))).toMatchObject({ name: 'zsh' });
  });

  it('ends with /bin/sh', () => {
    expect(detectShell(host('linux', null, []))).toEqual({ name: 'sh', path: '/bin/sh' });
  });
});
