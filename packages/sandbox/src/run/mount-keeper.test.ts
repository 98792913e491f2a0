// Who looks after the mounts of a sandbox has to run; a sandbox that nobody looks after is ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepMounts } from './mount-keeper.js';

let folder = '';
let wrapper: ChildProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mount-keeper-'));
  wrapper = spawn('sleep', ['30'], { stdio: 'ignore' });
  await once(wrapper, 'spawn');
});
afterEach(() => {
  wrapper.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The pipe of a wrapper that has made its mounts. */
function settledPipe(): Duplex {
  const pipe = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
  setImmediate(() => pipe.destroy());
  return pipe;
}

function program(script: string): string {
  const file = join(folder, 'keeper');
  writeFileSync(file, `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const keep = (program: string) => keepMounts(wrapper, settledPipe(), { keptMounts: ['/one'], program });

describe.runIf(process.platform === 'linux')('the keeper of mounts', () => {
  it('ends a sandbox that it cannot be started for, and says why', async () => {
    const warned = once(process, 'warning');
    expect(await keep(join(folder, 'missing'))).toBeUndefined();
    expect(String((await warned)[0])).toContain('ENOENT');
    await once(wrapper, 'exit');
    expect(wrapper.signalCode).toBe('SIGKILL');
  });

  it('is started again when it was ended', async () => {
    const again = join(folder, 'again');
    const keeper = program(`[ -e '${again}' ] && { printf /one; exit 0; }\n: > '${again}'; kill -KILL $$`);
    expect(await keep(keeper)).toBe('/one');
    expect(existsSync(again)).toBe(true);
    expect(wrapper.signalCode).toBeNull();
  });

  it('is not started again when the sandbox has ended', async () => {
    wrapper.kill('SIGKILL');
    await once(wrapper, 'exit');
    expect(await keep(program('printf /one'))).toBeUndefined();
  });
});
