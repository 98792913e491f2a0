import type { ExecBackend } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

/** Knows only the interface: it cannot tell a server in this process from one across the network. */
async function firstWord(backend: ExecBackend, command: string): Promise<string> {
  const process = await backend.spawn(command, { stdin: 'pipe' });
  await process.stdin.write('hello world\n');
  let text = '';
  for await (const piece of process.output) {
    text += piece;
    if (text.includes('\n')) break;
  }
  await process.terminate();
  const outcome = await process.wait();
  return `${text.split(' ')[0]} ${outcome.kind}`;
}

describeOnEveryTarget('a backend', (suite) => {
  it('is the same from both sides', async () => {
    expect(await firstWord(await suite.connect(), 'cat')).toBe('hello terminated');
  });

  it('ends a wait that its caller gives up, and nothing else', async () => {
    const client = await suite.connect();
    const process = await client.spawn('sleep 5');
    const started = Date.now();
    await expect(process.wait({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'process.waitTimeout' });
    await expect(process.wait({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    await expect(process.waitFor('x', { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      code: 'aborted',
    });
    await expect(client.fs.stat('/tmp', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(Date.now() - started).toBeLessThan(3000);
    expect(process.state).toBe('running');
  });
});
