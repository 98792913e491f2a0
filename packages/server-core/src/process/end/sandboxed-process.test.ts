import { describe, expect, it } from 'vitest';
import { settle } from '../../../test-support/manual-clock.js';
import { requestOf, setUpTable } from '../../../test-support/scripted-table.js';
import type { ProcessSandbox } from '../start/sandbox/process-sandbox.js';
import { startProcess } from '../start/start-process.js';

describe('a sandboxed process', () => {
  const sandboxed = (verdict: boolean): ProcessSandbox => ({
    prepare: async ({ spec }) => ({
      spec: { ...spec, argv: ['bwrap', ...spec.argv] },
      sandboxType: 'linuxSeccomp',
      signalScope: 'descendants',
      judgeExit: ({ exitCode, output }) => judge(verdict && exitCode === 1, output()),
    }),
    judgeForeign:
      () =>
      ({ output }) =>
        judge(verdict, output()),
  });

  const judge = (verdict: boolean, output: Uint8Array) =>
    output.length === 0
      ? { denied: false, failure: 'the sandbox did not start' }
      : { denied: verdict && Buffer.from(output).includes('denied') };

  it('is refused without a sandbox, and wrapped with one', async () => {
    const bare = setUpTable();
    await expect(bare.start('p', { sandbox: {} })).rejects.toMatchObject({
      code: -32602,
      message: 'sandbox intent cannot be enforced on this executor',
    });
    expect(bare.launcher.specs).toEqual([]);
    const { launcher, table } = setUpTable({}, sandboxed(true));
    const started = await startProcess(table, requestOf('p', { sandbox: {} }));
    expect(started.sandboxType).toBe('linuxSeccomp');
    expect(launcher.specs[0]?.argv).toEqual(['bwrap', 'a']);
    started.process.signal('SIGINT');
    expect(launcher.last.done).toEqual(['SIGINT descendants']);
  });

  it('has its failure judged with the output that comes within 20 ms', async () => {
    const { clock, launcher, start } = setUpTable({}, sandboxed(true));
    const process = await start('p', { sandbox: {} });
    launcher.last.exit({ code: 1 });
    await settle();
    expect(process.exit).toBeUndefined();
    launcher.last.say('permission denied');
    await clock.advance(20);
    expect(process.exit).toEqual({ exitCode: 1, sandboxDenied: true });
  });

  it('has its failure judged with what is read behind a clock that went on while the server could not run', async () => {
    const { clock, launcher, start } = setUpTable({}, sandboxed(true));
    const process = await start('p', { sandbox: {} });
    launcher.last.exit({ code: 1 });
    await settle();
    // Timers come before the poll: after a pause of the machine the 20 ms are over and nothing has been read.
    setImmediate(() => launcher.last.say('permission denied'));
    await clock.advance(20);
    await settle();
    expect(process.exit).toEqual({ exitCode: 1, sandboxDenied: true });
  });

  it('says so when the sandbox itself failed, which is no denial', async () => {
    const { launcher, start } = setUpTable({}, sandboxed(true));
    const process = await start('p', { sandbox: {} });
    launcher.last.finish(1);
    await settle();
    expect(process.exit).toMatchObject({ exitCode: 1, sandboxDenied: false });
    expect(process.failure).toBe('the sandbox did not start');
  });

  it('does not wait when it succeeded, or when its output has ended', async () => {
    const { launcher, start } = setUpTable({}, sandboxed(false));
    const fine = await start('fine', { sandbox: {} });
    launcher.last.exit({ code: 0 });
    await settle();
    expect(fine.exit).toEqual({ exitCode: 0, sandboxDenied: false });
    const failed = await start('failed', { sandbox: {} });
    launcher.last.say('no such file');
    launcher.last.finish(1);
    await settle();
    expect(failed.exit).toEqual({ exitCode: 1, sandboxDenied: false });
  });
});
