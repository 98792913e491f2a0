// A thousand launches leave no zombie, no descriptor, no supervisor.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLauncher, hasPortableTerminals, type Launcher } from './support/launcher-under-test.js';
import { closedPipe, openPipe, pty, run, specOf, until } from './support/run-command.js';

const OTHERS = process.env['SOAK'] ? 1000 : 200;

const openFds = (): number => readdirSync('/proc/self/fd').length;

function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'latin1').trim().split(' ').filter(Boolean),
  );
}

async function launchMany(launcher: Launcher, count: number): Promise<void> {
  const ios = [closedPipe, openPipe, pty];
  for (let index = 0; index < count; index += 1) {
    if (index % 10 === 9)
      await launcher.launch(specOf(['no-such-program'], { io: ios[index % 3] ?? pty })).catch(() => {});
    else await run(launcher, ['true'], { io: ios[index % 3] ?? pty });
    // Now and then a pause, in which the spare is refilled.
    if (index % 25 === 24) await new Promise((resolve) => setTimeout(resolve, 15));
  }
  launcher.close();
}

describe.each([
  ['native', 1000, {}],
  ['native without spare', OTHERS, { keepSpare: false }],
  ...(hasPortableTerminals ? [['node', OTHERS, { launcherProgram: null }] as const] : []),
] as const)('%s: %i launches', (_kind, count, options) => {
  it('one after the other leave nothing', { timeout: 240_000 }, async () => {
    await launchMany(createLauncher(options), 30); // what Node opens once and keeps
    await until(() => children().length === 0, 'no child is left');
    const fdsBefore = openFds();
    await launchMany(createLauncher(options), count);
    await until(() => children().length === 0, 'no child is left');
    await until(() => openFds() <= fdsBefore, 'no descriptor is left');
    expect(openFds()).toBeLessThanOrEqual(fdsBefore);
  });
});
