// Whether bubblewrap works here is tried, not guessed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canUseBubblewrap } from '@codex/sandbox/bubblewrap-trial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bubblewrap-trial-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plant = (script: string) =>
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

describe('the trial of bubblewrap', () => {
  it('says yes for the one of this host', async () => {
    expect(await canUseBubblewrap()).toBe(true);
  });

  it('says no where there is none', async () => {
    expect(await canUseBubblewrap(folder)).toBe(false);
  });

  it('says no where it may not make namespaces', async () => {
    plant('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
    expect(await canUseBubblewrap(folder)).toBe(false);
  });

  it.each(['--clearenv', '--proc', '--unshare-user'])('says no where it cannot do %s', async (option) => {
    plant(`for word; do [ "$word" = ${option} ] && exit 1; done; exit 0`);
    expect(await canUseBubblewrap(folder)).toBe(false);
  });
});
