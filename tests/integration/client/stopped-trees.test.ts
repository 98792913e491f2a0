// What a stop ends besides the process itself, and what it leaves alone (decision 0072).
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

describeOnEveryTarget('what a process has put in the background', (suite) => {
  it('ends with it when it is stopped, also where the interrupt has ended it', async () => {
    const client = await suite.connect();
    const script = 'trap "exit 3" INT; setsid sleep 300 & echo $!; wait';
    const process = await client.spawn(script);
    const { match } = await process.waitFor(/(\d+)\n/);
    expect(await process.stop()).toEqual({ kind: 'terminated', exitCode: 3 });
    expect((await client.run(['kill', '-0', match[1] ?? ''])).ok).toBe(false);
  });

  it('goes on when it had ended by itself', async () => {
    const client = await suite.connect();
    await using process = await client.spawn('setsid sleep 300 >/dev/null 2>&1 & echo $!');
    const { stdout } = await process.result();
    await process.stop();
    expect((await client.run(['kill', '-0', stdout.text.trim()])).ok).toBe(true);
  });
});
