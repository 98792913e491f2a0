// From its second start on, the wrapper of a policy runs before its sandbox is planned. What is enforced is the plan of the moment,
// whatever the last one was, and a wrapper whose sandbox is refused never runs its command.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLauncher } from '@codex/launcher';
import { launchSpec, prepareSandbox, workspaceWrite } from '@codex/sandbox';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RawClient } from '../process/support/raw-client.js';
import { serve } from '../process/support/served-server.js';
import { workspaceSandbox } from './support/policies.js';

const launcher = createLauncher();
afterAll(() => launcher.close());

let base = '';
let workspace = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(homedir(), '.exec-ahead-test-')));
  workspace = `${base}/ws`;
  mkdirSync(workspace);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

let nextId = 0;

async function run(client: RawClient, script: string, sandbox: object = workspaceSandbox(workspace)) {
  const processId = `a${nextId++}`;
  await client.call('process/start', {
    argv: ['/bin/sh', '-c', script],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin' },
    tty: false,
    sandbox,
    processId,
  });
  await client.call('process/wait', { processId, until: 'closed' });
  const exitCode = client.events.find(
    (event) => event.method === 'process/exited' && event.processId === processId,
  )?.exitCode;
  const output = Buffer.concat(
    client.events.flatMap((event) => (event.processId === processId && event.bytes ? [event.bytes] : [])),
  ).toString();
  return { exitCode, output };
}

const client = async () => (await serve()).client();

describe('a sandbox that is started ahead', () => {
  it('is the one of the moment: names that are there by now are protected, links are followed, placeholders go', async () => {
    const asked = await client();
    const tries = 'for n in .git .codex; do echo x > $n/x; done 2>/dev/null; ls -A .git .codex';
    await run(asked, tries);
    expect(readdirSync(workspace)).toEqual([]);
    mkdirSync(`${workspace}/.git`);
    writeFileSync(`${workspace}/.git/config`, 'mine');
    expect((await run(asked, tries)).output).toBe('.codex:\n\n.git:\nconfig\n');
    expect(readdirSync(workspace)).toEqual(['.git']);
    rmSync(`${workspace}/.git`, { recursive: true });
    mkdirSync(`${workspace}/elsewhere`);
    symlinkSync('elsewhere', `${workspace}/.git`);
    await run(asked, 'echo x > elsewhere/x');
    expect(readdirSync(`${workspace}/elsewhere`)).toEqual([]);
    await run(asked, 'echo x > .git/x; echo y > y');
    expect(readdirSync(`${workspace}/elsewhere`)).toEqual([]);
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'elsewhere', 'y']);
  });

  it('mounts the directory that is there, not the one that was', async () => {
    const asked = await client();
    await run(asked, 'echo first > file');
    renameSync(workspace, `${base}/before`);
    mkdirSync(workspace);
    await run(asked, 'echo second > file');
    await run(asked, 'echo third >> file');
    expect(readFileSync(`${base}/before/file`, 'utf8')).toBe('first\n');
    expect(readFileSync(`${workspace}/file`, 'utf8')).toBe('second\nthird\n');
  });

  it('has the variables, the directory and the words of its own request', async () => {
    const asked = await client();
    for (const word of ['one', 'two', 'three']) {
      mkdirSync(`${workspace}/${word}`);
      const processId = `v${nextId++}`;
      await asked.call('process/start', {
        argv: ['/bin/sh', '-c', 'echo $WORD $0; pwd', word],
        cwd: `${workspace}/${word}`,
        env: { PATH: '/usr/bin:/bin', WORD: word },
        tty: word === 'three',
        sandbox: workspaceSandbox(workspace),
        processId,
      });
      await asked.call('process/wait', { processId, until: 'closed' });
      const output = Buffer.concat(
        asked.events.flatMap((event) => (event.processId === processId && event.bytes ? [event.bytes] : [])),
      ).toString();
      expect(output.replaceAll('\r', '')).toBe(`${word} ${word}\n${workspace}/${word}\n`);
    }
  });

  it('is refused with the reason of a sandbox that is not, and nothing runs or stays', async () => {
    const asked = await client();
    await run(asked, 'true');
    const start = asked.call('process/start', {
      argv: ['/bin/sh', '-c', `echo ran > ${workspace}/ran`],
      cwd: `${workspace}/missing`,
      env: { PATH: '/usr/bin:/bin' },
      tty: false,
      sandbox: workspaceSandbox(workspace),
      processId: 'refused',
    });
    await expect(start).rejects.toThrow(/cannot start in .*missing: ENOENT/);
    expect(readdirSync(workspace)).toEqual([]);
    expect((await run(asked, 'echo fine')).output).toBe('fine\n');
  });
});

describe('a wrapper without its options', () => {
  const request = () => ({
    argv: ['/bin/sh', '-c', `echo ran > ${workspace}/ran`],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin' },
    policy: workspaceWrite(),
    startsAhead: true,
  });
  const io = { type: 'pipe', stdin: 'closed' } as const;

  it('is ahead from the second time on, and complete when it is launched', async () => {
    const first = await prepareSandbox(request());
    expect(first.isAhead).toBeUndefined();
    await (await launcher.launch(launchSpec(first, { io }))).treeGone;
    await first.finish().cleanup;
    const second = await prepareSandbox(request());
    expect(second).toMatchObject({ isAhead: true, changesHost: false });
    const launched = await launcher.launch(launchSpec(second, { io }));
    expect(second.changesHost).toBe(true);
    await launched.treeGone;
    await second.finish().cleanup;
    expect(readdirSync(workspace)).toEqual(['ran']);
  });

  it('executes nothing when it gets none: its root is empty then', async () => {
    const first = await prepareSandbox(request());
    await first.finish().cleanup;
    const second = await prepareSandbox(request());
    const inheritFds = second.inheritFds.map((grant) =>
      'make' in grant ? { ...grant, make: async () => ({ bytes: new Uint8Array(0) }) } : grant,
    );
    const launched = await launcher.launch({ ...launchSpec(second, { io }), inheritFds });
    const status = await launched.exited;
    expect(status.code).toBe(1);
    expect(second.commandStarted(status)).toBe(false);
    await launched.treeGone;
    await second.finish().cleanup;
    expect(existsSync(`${workspace}/ran`)).toBe(false);
  });

  it('is not used when the plan needs anything else', async () => {
    const first = await prepareSandbox(request());
    await first.finish().cleanup;
    const second = await prepareSandbox(request());
    mkdirSync(`${workspace}/.git`);
    writeFileSync(`${workspace}/.git/config`, '');
    await expect(launcher.launch(launchSpec(second, { io }))).rejects.toMatchObject({
      code: 'SANDBOX_PREPARE_FAILED',
    });
    await second.finish().cleanup;
    expect(readdirSync(workspace)).toEqual(['.git']);
  });
});
