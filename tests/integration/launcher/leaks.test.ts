/** A thousand launches leave no zombie, no descriptor, no supervisor. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { launchers } from './launcher-under-test.js';
import { closedPipe, openPipe, pty, run, specOf, until } from './run-command.js';

const openFds = (): number => readdirSync('/proc/self/fd').length;

function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'latin1').trim().split(' ').filter(Boolean),
  );
}

describe.each(launchers)('1000 launches (%s)', (_kind, create) => {
  it('one after the other leave nothing', { timeout: 240_000 }, async () => {
    const launcher = create();
    const ios = [closedPipe, openPipe, pty];
    const once = (index: number) => run(launcher, ['true'], { io: ios[index % ios.length] ?? pty });
    await once(0);
    await once(1);
    await once(2);
    const fdsBefore = openFds();
    const childrenBefore = children().length;
    for (let index = 0; index < 1000; index += 1) {
      if (index % 10 === 9) await launcher.launch(specOf(['no-such-program'])).catch(() => {});
      else await once(index);
    }
    await until(() => children().length <= childrenBefore, 'no child is left');
    await until(() => openFds() <= fdsBefore, 'no descriptor is left');
    expect(openFds()).toBeLessThanOrEqual(fdsBefore);
  });
});
