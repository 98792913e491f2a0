// What a process can do that has opened a supervisor's reports: one of root at any time, one of the same user for a
// moment.
import { describe, expect, it } from 'vitest';
import { nativeLauncher } from './support/launcher-under-test.js';
import { processesWith, run, specOf, uniqueSleep, until } from './support/run-command.js';

describe.runIf(process.getuid?.() === 0)('a report that is forged', () => {
  it('and says that more follows than a supervisor keeps costs the command its supervisor, and nothing else', async () => {
    const token = uniqueSleep();
    const forged = String.raw`\5\0\0\0\377\377\377\177\0\0\0\0\0\0\0\0\0\0\0\0`;
    const script = `sleep ${token} & sleep 0.2; printf '${forged}' >/proc/$PPID/fd/4; sleep ${token}`;
    const launched = await nativeLauncher().launch(specOf(['sh', '-c', script]));
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL', supervisorLost: true });
    await launched.treeGone;
    await until(() => processesWith(token).length === 0, 'everything is gone', 3000);
    expect((await run(nativeLauncher(), ['echo', 'fine'])).stdout).toBe('fine\n');
  });
});
