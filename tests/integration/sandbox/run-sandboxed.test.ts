// The whole library in one call: output while it comes, and an end when the caller wants one.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type OutputChunk, readOnly, runSandboxed, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('runSandboxed', () => {
  let cwd = '';
  beforeAll(() => {
    cwd = mkdtempSync('/var/tmp/sandbox-test-');
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  const sh = (script: string) => ({ argv: ['/bin/sh', '-c', script], cwd, env, policy: workspaceWrite() });
  const isAlive = (marker: string): boolean =>
    readdirSync('/proc').some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
      } catch {
        return false;
      }
    });

  it('tells output as it comes, stream by stream, and the whole at the end', async () => {
    const chunks: OutputChunk[] = [];
    let seenWhileRunning = false;
    const result = await runSandboxed({
      ...sh('echo one; while ! [ -e go ]; do sleep 0.02; done; echo two >&2; echo three'),
      onOutput: (chunk) => {
        chunks.push(chunk);
        // The command goes on only when its first output has been seen.
        if (chunks.length === 1) {
          seenWhileRunning = true;
          void runSandboxed(sh('touch go'));
        }
      },
    });
    expect(seenWhileRunning).toBe(true);
    const text = (stream: string) =>
      chunks
        .filter((chunk) => chunk.stream === stream)
        .map(({ bytes }) => Buffer.from(bytes).toString())
        .join('');
    expect([text('stdout'), text('stderr')]).toEqual(['one\nthree\n', 'two\n']);
    expect(result).toMatchObject({ stdout: 'one\nthree\n', stderr: 'two\n', exitCode: 0 });
  });

  it('a slow listener holds the command back, and gets everything', async () => {
    let bytes = 0;
    let busy = 0;
    const result = await runSandboxed({
      ...sh('head -c 3000000 /dev/zero'),
      maxOutputBytes: 10,
      onOutput: async (chunk) => {
        busy += 1;
        expect(busy).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        busy -= 1;
        bytes += chunk.bytes.length;
      },
    });
    expect(bytes).toBe(3_000_000);
    expect(result).toMatchObject({ truncated: true });
    expect(result.stdout).toHaveLength(10);
  });

  it('ends with the signal: the tree is gone, the host as it was, the reason is thrown', async () => {
    const marker = `9${process.pid}.25`;
    const controller = new AbortController();
    const running = runSandboxed({
      ...sh(`setsid sleep ${marker} & sleep ${marker}`),
      signal: controller.signal,
    });
    await expect.poll(() => isAlive(marker)).toBe(true);
    expect(existsSync(`${cwd}/.git`)).toBe(true);
    controller.abort(new TypeError('enough'));
    await expect(running).rejects.toThrow(TypeError);
    await expect.poll(() => isAlive(marker)).toBe(false);
    expect(existsSync(`${cwd}/.git`)).toBe(false);
  });

  it('ends whenever the signal comes, in the first moments too', async () => {
    const marker = `7${process.pid}.25`;
    for (let delay = 0; delay < 12; delay += 1) {
      const signal = AbortSignal.timeout(delay);
      await expect(runSandboxed({ ...sh(`sleep ${marker}`), signal })).rejects.toThrow();
    }
    await expect.poll(() => isAlive(marker)).toBe(false);
  });

  it('starts nothing for a signal that was there before', async () => {
    const attempt = runSandboxed({ ...sh('touch started'), signal: AbortSignal.abort() });
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(`${cwd}/started`)).toBe(false);
    expect(existsSync(`${cwd}/.git`)).toBe(false);
  });

  it('a listener that throws ends the command', async () => {
    const marker = `8${process.pid}.25`;
    const attempt = runSandboxed({
      ...sh(`echo x; sleep ${marker}`),
      onOutput: () => {
        throw new RangeError('no room');
      },
    });
    await expect(attempt).rejects.toThrow('no room');
    await expect.poll(() => isAlive(marker)).toBe(false);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const signal = controller.signal;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await runSandboxed({ ...sh('true'), signal });
    expect(listeners).toBe(0);
  });

  it('has the evidence of a denial together, the network included', async () => {
    const script = 'touch /etc/planted; echo "ls: /root/x: Permission denied" >&2; exit 1';
    expect((await runSandboxed(sh(script))).denial).toEqual({
      reason: 'read_only_file_system',
      line: "touch: cannot touch '/etc/planted': Read-only file system",
      path: '/etc/planted',
    });
    const lookUp = { ...sh('curl -sS http://example.invalid/'), policy: readOnly() };
    expect((await runSandboxed(lookUp)).denial).toMatchObject({ reason: 'network_denied' });
  });
});
