// Input: large, unread, closed.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { launchers } from './support/launcher-under-test.js';
import { collect, openPipe, pty, run, specOf, until } from './support/run-command.js';

describe.each(launchers)('input (%s)', (_kind, create) => {
  it('of 8 MB goes through a pipe unchanged', async () => {
    const launched = await create().launch(specOf(['sh', '-c', 'sha256sum'], { io: openPipe }));
    const output = collect(launched);
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    for (let i = 0; i < 8; i += 1) {
      const block = randomBytes(1024 * 1024);
      hash.update(block);
      await launched.input?.write(block);
    }
    launched.input?.end();
    await launched.exited;
    await output.ended;
    expect(output.text().slice(0, 64)).toBe(hash.digest('hex'));
  });

  it('of 1 MB goes through a raw terminal unchanged, quickly', async () => {
    const script = 'stty raw -echo; echo ready; head -c 1000000 | sha256sum';
    const launched = await create().launch(specOf(['sh', '-c', script], { io: pty }));
    const output = collect(launched);
    await until(() => output.text().includes('ready'), 'the terminal is raw');
    const { createHash } = await import('node:crypto');
    const bytes = randomBytes(1_000_000);
    const before = performance.now();
    await launched.input?.write(bytes.subarray(0, 400_000));
    await launched.input?.write(bytes.subarray(400_000));
    await launched.exited;
    expect(performance.now() - before).toBeLessThan(4000);
    await output.ended;
    expect(output.text()).toContain(createHash('sha256').update(bytes).digest('hex'));
  });

  it.each([
    ['terminal', pty, 'stty raw -echo; echo ready; sleep 60'],
    ['pipe', openPipe, 'echo ready; exec sleep 60'],
  ] as const)(
    'that nobody reads stays pending on a %s, and everything else goes on',
    async (_name, io, script) => {
      const launcher = create();
      const launched = await launcher.launch(specOf(['sh', '-c', script], { io }));
      const output = collect(launched);
      await until(() => output.text().includes('ready'), 'the command is ready');
      let state = 'pending';
      const write = launched.input?.write(Buffer.alloc(4 * 1024 * 1024, 'x')).then(
        () => {
          state = 'done';
        },
        (error: { code: string }) => {
          state = error.code;
        },
      );
      const before = performance.now();
      expect((await run(launcher, ['echo', 'other'])).stdout).toBe('other\n');
      expect(performance.now() - before).toBeLessThan(1000);
      expect(state).toBe('pending');
      launched.killTree();
      await launched.treeGone;
      await write;
      expect(state).toBe('EPIPE');
      await output.ended;
    },
  );

  it('to a command that has closed its stdin is refused with EPIPE', async () => {
    const launched = await create().launch(
      specOf(['sh', '-c', 'exec <&-; echo closed; sleep 60'], { io: openPipe }),
    );
    const output = collect(launched);
    await until(() => output.text().includes('closed'), 'stdin is closed');
    await expect(launched.input?.write(Buffer.from('x'))).rejects.toMatchObject({
      name: 'LaunchIoError',
      code: 'EPIPE',
    });
    launched.killTree();
    await launched.treeGone;
    await output.ended;
  });

  it('after the end of the command is refused with EPIPE', async () => {
    for (const io of [openPipe, pty]) {
      const launched = await create().launch(specOf(['true'], { io }));
      const output = collect(launched);
      await launched.treeGone;
      await output.ended;
      await expect(launched.input?.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'EPIPE' });
    }
  });

  it('reaches the command in order and ends with the pipe', async () => {
    const launched = await create().launch(specOf(['cat'], { io: openPipe }));
    const output = collect(launched);
    const writes = Array.from({ length: 200 }, async (_, i) => launched.input?.write(Buffer.from(`${i},`)));
    launched.input?.end();
    await Promise.all(writes);
    expect(await launched.exited).toEqual({ code: 0, signal: null });
    await output.ended;
    expect(output.text()).toBe(`${Array.from({ length: 200 }, (_, i) => i).join(',')},`);
  });
});
