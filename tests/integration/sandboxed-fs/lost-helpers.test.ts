// Helpers that are killed, hang, talk nonsense or cannot start: only their own request suffers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HelperCommand } from '@codex/exec-server-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../fs/support/fs-fixture.js';
import { helperPids } from './support/helper-processes.js';
import {
  base64,
  policyOf,
  readEverything,
  setUpSandboxed,
  text,
  workspaceOnly,
} from './support/sandboxed-fs-fixture.js';

/** A helper that is not ours: a shell script in place of the program. */
function scriptHelper(directory: string, script: string): HelperCommand {
  const file = join(directory, 'helper.sh');
  writeFileSync(file, script);
  const shell = realpathSync('/bin/sh');
  const libraries = [
    ...execFileSync('ldd', [shell])
      .toString()
      .matchAll(/(\/\S+)/g),
  ].map(([path]) => path);
  return { argv: [shell, file], files: [shell, file, ...libraries] };
}

describe('a helper that is killed', () => {
  it('under load loses no request', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const other = policyOf(ws, [
      [ws, 'write'],
      ['/', 'read'],
    ]);
    const answers: Promise<unknown>[] = [];
    let kills = 0;
    for (let n = 0; n < 400; n += 1) {
      const path = join(ws, `file-${n % 20}`);
      const policy = n % 7 === 0 ? other : sandbox;
      if (n % 4 === 0) {
        answers.push(client.call('fs/writeFile', { path, dataBase64: base64(`${n}`), sandbox: policy }));
      } else {
        answers.push(
          client
            .call('fs/readFile', { path: join(ws, 'inside'), sandbox: policy })
            .then((r) => expect(text(r as never)).toBe('inside')),
        );
      }
      if (n % 100 === 50) {
        await answers[n - 30];
        for (const pid of helperPids()) {
          process.kill(pid, 'SIGKILL');
          kills += 1;
        }
      }
    }
    await Promise.all(answers);
    expect(kills).toBeGreaterThanOrEqual(4);
    expect(readFileSync(join(ws, 'file-0'), 'utf8')).toBe('380');
  });

  it('closes its streams with a clear error and serves the next open', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const path = join(ws, 'inside');
    await client.call('fs/open', { handleId: 'a', path, sandbox });
    for (const pid of helperPids()) process.kill(pid, 'SIGKILL');
    expect(await client.refusal('fs/readBlock', { handleId: 'a', offset: 0, len: 10 })).toEqual({
      code: -32603,
      message: expect.stringMatching(
        /file helper was lost: .*; its open files are closed, open this one again/,
      ),
    });
    await client.call('fs/close', { handleId: 'a' });
    await client.call('fs/open', { handleId: 'a', path, sandbox });
    expect(await client.call('fs/readBlock', { handleId: 'a', offset: 0, len: 10 })).toMatchObject({
      eof: true,
    });
  });
});

describe('a helper that is not well', () => {
  it('is given up when it says nothing', async () => {
    const { client, ws } = await setUpSandboxed({ fs: { fileHelperTimeoutMs: 300 } });
    const sandbox = workspaceOnly(ws);
    await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    const [pid = 0] = helperPids();
    process.kill(pid, 'SIGSTOP');
    // A read is made again on a new helper.
    expect(text(await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox }))).toBe('inside');
    expect(helperPids()).not.toContain(pid);
  });

  it('says of a change that was lost that its outcome is not known', async () => {
    const { client, ws } = await setUpSandboxed({ fs: { fileHelperTimeoutMs: 300 } });
    const sandbox = workspaceOnly(ws);
    await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    const [pid = 0] = helperPids();
    process.kill(pid, 'SIGSTOP');
    const append = { path: join(ws, 'inside'), dataBase64: base64('x'), append: true, sandbox };
    expect(await client.refusal('fs/writeFile', append)).toEqual({
      code: -32603,
      message: expect.stringContaining('it did not answer in time; whether the change was made is not known'),
    });
  });

  it.each([
    [
      'answers nonsense',
      'echo this is no frame at all; while read -r line; do :; done',
      'it answered something that makes no sense',
    ],
    ['ends at once', 'echo no disk >&2; exit 3', 'it ended with code 3: no disk'],
  ])('that %s fails its request and nothing else', async (_what, script, message) => {
    const { client, ws } = await setUpSandboxed();
    const broken = await setUpSandboxed({ fileHelper: scriptHelper(ws, script) });
    const path = join(broken.ws, 'inside');
    const refusal = await broken.client.refusal('fs/readFile', { path, sandbox: workspaceOnly(broken.ws) });
    expect(refusal).toEqual({ code: -32603, message: `the file sandbox could not be started: ${message}` });
    expect(text(await broken.client.call('fs/readFile', { path, sandbox: null }))).toBe('inside');
    expect(
      text(await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox: workspaceOnly(ws) })),
    ).toBe('inside');
  });
});

describe('how long helpers live', () => {
  it('one per policy, shared by all requests of a session, ended with it', async () => {
    const { server, client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const read = () => client.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    await Promise.all([read(), read(), read()]);
    expect(helperPids()).toHaveLength(1);
    const other = await new (await import('../fs/support/fs-fixture.js')).FsClient(server).initialize();
    await other.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    expect(helperPids()).toHaveLength(2);
    other.peer.close();
    await eventually('the helper of the closed session is gone', () => helperPids().length === 1);
    await read();
  });

  it('from the start of a process with the same policy on', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    const start = {
      processId: 'p',
      argv: ['/bin/true'],
      cwd: ws,
      env: {},
      tty: false,
      sandbox: readEverything(ws),
    };
    await client.call('process/start', { ...start, sandbox: null });
    await client.call('process/start', { ...start, processId: 'q' });
    await eventually('a helper is warm', () => helperPids().length === 1);
    await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox: readEverything(ws) });
    expect(helperPids()).toHaveLength(1);
    await client.call('fs/readFile', { path: join(ws, 'inside'), sandbox });
    expect(helperPids()).toHaveLength(2);
  });

  it('as long as they are used, and an idle one makes place', async () => {
    const { client, ws } = await setUpSandboxed({
      fs: { maxFileHelpersPerSession: 2, fileHelperIdleMs: 400 },
    });
    const roots = ['a', 'b', 'c'].map((name) => join(ws, name));
    for (const root of roots) {
      mkdirSync(root);
      writeFileSync(join(root, 'file'), root);
    }
    const sandboxOf = (root: string) => policyOf(ws, [[root, 'write']]);
    for (const root of roots) {
      const result = await client.call<{ dataBase64: string }>('fs/readFile', {
        path: join(root, 'file'),
        sandbox: sandboxOf(root),
      });
      expect(text(result)).toBe(root);
      await eventually('no more than two', () => helperPids().length <= 2);
    }
    // A stream keeps its helper: with two of them there is no place for a third policy.
    const [a = '', b = '', c = ''] = roots;
    await client.call('fs/open', { handleId: 'a', path: join(a, 'file'), sandbox: sandboxOf(a) });
    await client.call('fs/open', { handleId: 'b', path: join(b, 'file'), sandbox: sandboxOf(b) });
    const third = { path: join(c, 'file'), sandbox: sandboxOf(c) };
    expect(await client.refusal('fs/readFile', third)).toEqual({
      code: -32600,
      message: 'too many sandbox policies in use: the limit (maxFileHelpersPerSession) is 2',
    });
    await client.call('fs/close', { handleId: 'a' });
    await client.call('fs/readFile', third);
    await client.call('fs/close', { handleId: 'b' });
    await eventually('idle helpers are gone', () => helperPids().length === 0);
  });
});
