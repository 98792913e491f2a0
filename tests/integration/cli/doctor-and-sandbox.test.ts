import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ExecServerProgram } from './exec-server-program.js';

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
    expect(text.stdout).toMatch(/✓ try workspace-write, network +held by bubblewrap/);
    expect(text.stdout).toContain('Commands can be sandboxed here.');
    const json = await run(['doctor', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ usable: true });
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

  it('says 128+n for a signal, and 2 for an error of use', async () => {
    expect((await run(['sandbox', '--', 'sh', '-c', 'kill -TERM $$'])).code).toBe(143);
    expect((await run(['sandbox'])).code).toBe(2);
    expect((await run(['sandbox', '--network', 'some', '--', 'true'])).code).toBe(2);
  });
});
