// What finding out about the host costs: bubblewrap is tried once, and asked what it can by one shell.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeLinuxHost } from '@codex/sandbox';
import { canUseBubblewrap } from '@codex/sandbox/bubblewrap-trial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync('/var/tmp/host-probe-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A bubblewrap that keeps a list of its calls; returns how many sandboxes it was asked for. */
function watchedBubblewrap(then: string): { searchPath: string; trials(): number } {
  const list = join(folder, 'calls');
  writeFileSync(list, '');
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\necho "$*" >> '${list}'\n${then}\n`);
  chmodSync(join(folder, 'bwrap'), 0o755);
  const trials = () =>
    readFileSync(list, 'utf8')
      .split('\n')
      .filter((line) => line.includes('--unshare-pid'));
  return { searchPath: `${folder}:/usr/bin:/bin`, trials: () => trials().length };
}

describe('probeLinuxHost', () => {
  it('tries a bubblewrap no more that has worked in this process', async () => {
    const { searchPath, trials } = watchedBubblewrap('exec /usr/bin/bwrap "$@"');
    expect(await canUseBubblewrap(searchPath)).toBe(true);
    const host = await probeLinuxHost({ searchPath });
    expect(host).toMatchObject({ namespaces: { works: true }, mountsProc: true, signalEnv: '/usr/bin/env' });
    expect(host.bubblewrap?.version).toMatch(/^\d+\.\d+/);
    expect(host.bubblewrap?.options.has('--bind-fd')).toBe(true);
    expect(host.landlockAbi).toBeTypeOf('number');
    expect(trials()).toBe(1);
  });

  it('tries one again that has failed', async () => {
    const { searchPath, trials } = watchedBubblewrap('case "$*" in --help) echo --args;; esac; exit 1');
    expect(await canUseBubblewrap(searchPath)).toBe(false);
    expect((await probeLinuxHost({ searchPath })).namespaces).toMatchObject({ reason: 'missing-option' });
    expect(trials()).toBe(2);
  });
});
