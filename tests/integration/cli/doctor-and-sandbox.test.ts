import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { APP } from './support/codex-command.js';
import { ExecServerProgram } from './support/exec-server-program.js';

const folder = mkdtempSync(join(homedir(), '.exec-sandbox-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[]) {
  await using program = new ExecServerProgram(args, { cwd: folder });
  program.child.stdin?.end();
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

describe('exec-server doctor', () => {
  it('tells what works here, as text and as JSON', async () => {
    const text = await run(['doctor']);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/✓ bubblewrap +bubblewrap \d/);
    expect(text.stdout.match(/^. workspace-write, network/gm)).toHaveLength(1);
    expect(text.stdout).toMatch(/✓ exec interception +\/\S*bash, (a patched Bash|by a library)/);
    expect(text.stdout).toContain('Commands can be sandboxed here.');
    expect(text.stdout).toMatch(/^✓ workspace-write +holds, by bubblewrap$/m);
    const json = await run(['doctor', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ usable: true });
  });
});

describe('exec-server doctor on a host without bubblewrap', () => {
  /** A script of the shell, in which node is `$0` and the app `$1`, on such a host. */
  const withoutBubblewrap = (script: string) =>
    spawnSync(
      'unshare',
      [
        process.getuid?.() === 0 ? '--mount' : '--map-root-user',
        '--mount',
        'sh',
        '-c',
        `mount --bind /dev/null "$(command -v bwrap)" && ${script}`,
        process.execPath,
        APP,
      ],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, EXEC_SERVER_CONFIG: '' } },
    );

  it('does not say that commands can be sandboxed, and names what would have to be accepted', () => {
    const { status, stdout } = withoutBubblewrap('"$0" "$1" doctor');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ read-only /m);
    expect(stdout).toMatch(/^Commands cannot be sandboxed here/m);
    expect(stdout).toMatch(/or serve with: --accept-weaker-sandbox host-proc/);
  });

  it('names flags with which the policy holds', () => {
    const report = JSON.parse(withoutBubblewrap('"$0" "$1" doctor --json').stdout) as {
      policies: { policy: string; accept?: string[] }[];
    };
    const { accept = [] } = report.policies.find(({ policy }) => policy === 'read-only') ?? {};
    const flags = accept.map((form) => `--accept-weaker-sandbox ${form}`).join(' ');
    const serveAndRun = (more: string) => `
      "$0" "$1" --quiet ${more} > url & server=$!
      while ! [ -s url ]; do sleep 0.1; done
      "$0" "$1" run --url "$(cat url)" --sandbox read-only sh -c 'echo ran; touch made || echo refused'; echo "code $?"
      kill $server; rm url`;
    expect(withoutBubblewrap(serveAndRun('')).stdout).toBe('code 125\n');
    expect(withoutBubblewrap(serveAndRun(flags)).stdout).toBe('ran\nrefused\ncode 0\n');
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });
});

describe('exec-server sandbox', () => {
  it('runs a command in the workspace, passes its output and exit code', async () => {
    const script = 'echo out; echo err >&2; echo x > inside; exit 5';
    expect(await run(['sandbox', '--', 'sh', '-c', script])).toMatchObject({
      code: 5,
      stdout: 'out\n',
      stderr: 'err\n',
    });
    expect(existsSync(join(folder, 'inside'))).toBe(true);
  });

  it('refuses what the policy refuses', async () => {
    const target = join(homedir(), '.exec-sandbox-command-escape');
    const outside = await run(['sandbox', '--', 'touch', target]);
    expect(outside.code).not.toBe(0);
    expect(existsSync(target)).toBe(false);
    expect((await run(['sandbox', '--policy', 'read-only', '--', 'touch', 'refused'])).code).not.toBe(0);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
    writeFileSync(join(folder, 'secret'), 'hidden text');
    const denied = await run(['sandbox', '--deny', 'secret', '--', 'cat', 'secret']);
    expect(denied.stdout).not.toContain('hidden text');
  });

  it('ends a command when a program outside takes away what covers a name, and says so', async () => {
    for (const flags of [[], ['--json']]) {
      writeFileSync(join(folder, 'covered'), 'old');
      writeFileSync(join(folder, 'new'), 'new');
      const script = 'touch ready; while :; do sleep 0.05; done';
      await using program = new ExecServerProgram(
        ['sandbox', ...flags, '--deny', 'covered', '--', 'sh', '-c', script],
        { cwd: folder },
      );
      program.child.stdin?.end();
      await expect.poll(() => existsSync(join(folder, 'ready')), { timeout: 20_000 }).toBe(true);
      renameSync(join(folder, 'new'), join(folder, 'covered'));
      expect(await program.exited).toMatchObject({ code: 137 });
      if (flags.length === 0)
        expect(program.stderr).toMatch(/^exec-server: stopped: .*covered was replaced, .*\n$/);
      else
        expect(JSON.parse(program.stderr)).toMatchObject({
          lostMount: join(folder, 'covered'),
          denial: null,
        });
      rmSync(join(folder, 'ready'));
    }
  });

  it('takes a policy of the protocol from a file', async () => {
    const file_system = {
      type: 'restricted',
      entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }],
    };
    writeFileSync(
      join(folder, 'policy.json'),
      JSON.stringify({ type: 'managed', file_system, network: 'restricted' }),
    );
    expect((await run(['sandbox', '--policy', 'policy.json', '--', 'cat', 'policy.json'])).code).toBe(0);
    expect((await run(['sandbox', '--policy', 'policy.json', '--', 'touch', 'no'])).code).not.toBe(0);
  });

  it('reads what its input is redirected from, and opens neither that nor a folder beside it for writing', () => {
    writeFileSync(join(folder, 'input'), 'a line\n'.repeat(20_000));
    const sandboxed = (script: string, input: string) =>
      spawnSync(
        'sh',
        [
          '-c',
          '"$0" "$1" sandbox --policy read-only -- sh -c "$2" < "$3"',
          process.execPath,
          APP,
          script,
          input,
        ],
        { cwd: folder, encoding: 'utf8' },
      );
    expect(sandboxed('sort -u; wc -c', 'input').stdout).toBe('a line\n0\n');
    expect(sandboxed('exit 3', 'input').status).toBe(3);
    sandboxed('echo evil > /proc/self/fd/0', 'input');
    expect(readFileSync(join(folder, 'input'), 'utf8')).not.toContain('evil');
    sandboxed('echo evil > /proc/self/fd/0/planted; cat', '.');
    expect(existsSync(join(folder, 'planted'))).toBe(false);
  });

  it('says 128+n for a signal, and 2 for an error of use', async () => {
    expect((await run(['sandbox', '--', 'sh', '-c', 'kill -TERM $$'])).code).toBe(143);
    expect((await run(['sandbox'])).code).toBe(2);
    expect((await run(['sandbox', '--network', 'some', '--', 'true'])).code).toBe(2);
  });
});
