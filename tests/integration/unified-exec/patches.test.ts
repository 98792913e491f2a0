// Patches under a sandbox: all or nothing, asked about where they leave it, and no way out through links.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { readOnly, workspaceWrite } from '@codex/sandbox';
import type { ApprovalRequest } from '@codex/unified-exec';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';
import { outside, watched } from './support/watched.js';

const patch = (body: string): string => `*** Begin Patch\n${body}\n*** End Patch`;

describe('a patch', () => {
  // The program: a server that a test embeds has no helper for files in a sandbox.
  const server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
  const clients: ExecServerClient[] = [];
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server[Symbol.asyncDispose]();
  });
  const connect = async (): Promise<ExecServerClient> => {
    const client = await ExecServerClient.connect(await server.url());
    clients.push(client);
    return client;
  };
  let project: ReturnType<typeof outside>;
  let other: ReturnType<typeof outside>;
  beforeEach(() => {
    project = outside();
    other = outside();
    writeFileSync(`${project.path}/a.txt`, 'one\n');
    writeFileSync(`${other.path}/secret`, 'secret\n');
  });
  afterEach(() => {
    project.remove();
    other.remove();
  });
  const text = (path: string): string => readFileSync(path, 'utf8');

  it('changes all of its files or none, and is told as such', async () => {
    const options = { cwd: project.path, sandbox: workspaceWrite() };
    await using watch = watched(await connect(), options);
    const body = '*** Add File: sub/b.txt\n+two\n*** Update File: a.txt\n@@\n-one\n+1';
    const cmd = `apply_patch <<'EOF'\n${patch(body)}\nEOF`;
    const done = await watch.tool.execCommand({ cmd }, { callId: 'p' });
    expect(done.text).toMatch(/^Wall time: .*\nOutput:\nSuccess.*\nA sub\/b.txt\nM a.txt\n$/);
    expect(text(`${project.path}/a.txt`)).toBe('1\n');
    const half = patch('*** Delete File: a.txt\n*** Update File: sub/b.txt\n@@\n-three\n+3');
    expect(await watch.tool.applyPatch(half)).toMatchObject({ isError: true, error: { code: 'tool.patch' } });
    expect(existsSync(`${project.path}/a.txt`)).toBe(true);
    expect(await watch.types()).toEqual(['patched', 'rejected']);
  });

  it('that the sandbox denies in part changes nothing, not even while somebody thinks about it', async () => {
    const body = patch(
      `*** Update File: a.txt\n@@\n-one\n+1\n*** Add File: new.txt\n+x\n*** Add File: ${other.path}/new\n+x`,
    );
    const untouched = (): void => {
      expect(text(`${project.path}/a.txt`)).toBe('one\n');
      expect(existsSync(`${project.path}/new.txt`)).toBe(false);
    };
    await using strict = watched(await connect(), { cwd: project.path, sandbox: workspaceWrite() });
    expect((await strict.tool.applyPatch(body)).text).toMatch(
      /^patch rejected: writing outside of the project/,
    );
    untouched();
    const answers = [false, true];
    await using asking = watched(await connect(), {
      cwd: project.path,
      sandbox: workspaceWrite(),
      approve: () => {
        untouched();
        return { allow: answers.shift() ?? false };
      },
    });
    expect((await asking.tool.applyPatch(body)).error?.code).toBe('tool.rejected');
    untouched();
    expect((await asking.tool.applyPatch(body)).isError).toBe(false);
    expect(text(`${project.path}/a.txt`) + text(`${other.path}/new`)).toBe('1\nx\n');
  });

  it('that fails in the middle puts back what it did', async () => {
    writeFileSync(`${project.path}/b.txt`, 'two\n');
    await using watch = watched(await connect(), { cwd: project.path });
    const body =
      '*** Update File: a.txt\n*** Move to: moved.txt\n@@\n-one\n+1\n*** Delete File: b.txt\n*** Add File: b.txt/c\n+x';
    const output = await watch.tool.applyPatch(patch(body));
    expect(output.text).toMatch(/^apply_patch failed: .*; nothing was changed\. /);
    expect(text(`${project.path}/a.txt`) + text(`${project.path}/b.txt`)).toBe('one\ntwo\n');
    expect(existsSync(`${project.path}/moved.txt`)).toBe(false);
  });

  it('loses no file by naming it twice, or by another name', async () => {
    writeFileSync(`${project.path}/b.txt`, 'two\n');
    symlinkSync('.', `${project.path}/self`);
    await using watch = watched(await connect(), { cwd: project.path });
    const move = (from: string, to: string, line: string): string =>
      `*** Update File: ${from}\n*** Move to: ${to}\n@@\n-${line}\n+${line}!`;
    for (const body of [
      `${move('a.txt', 'b.txt', 'one')}\n${move('b.txt', 'a.txt', 'two')}`,
      `${move('a.txt', 'b.txt', 'one')}\n*** Delete File: b.txt`,
      '*** Update File: a.txt\n@@\n-one\n+1\n*** Delete File: self/a.txt',
      '*** Update File: a.txt\n@@\n-one\n+1\n*** Add File: self/../self/a.txt\n+x',
    ]) {
      const output = await watch.tool.applyPatch(patch(body));
      expect(output.text, body).toContain('multiple operations target ');
    }
    expect(text(`${project.path}/a.txt`) + text(`${project.path}/b.txt`)).toBe('one\ntwo\n');
    expect((await watch.tool.applyPatch(patch(move('a.txt', 'self/a.txt', 'one')))).isError).toBe(false);
    expect(text(`${project.path}/a.txt`)).toBe('one!\n');
  });

  it('is a tool of its own where an application wants that', async () => {
    await using watch = watched(await connect(), { cwd: project.path, applyPatchTool: true });
    expect(watch.tool.tools.openai().map(({ name }) => name)).toEqual([
      'exec_command',
      'write_stdin',
      'apply_patch',
    ]);
    const args = { patch: patch('*** Delete File: a.txt') };
    expect((await watch.tool.dispatch('apply_patch', { patch: 5 })).error?.code).toBe('tool.arguments');
    expect((await watch.tool.dispatch('apply_patch', JSON.stringify(args))).isError).toBe(false);
    expect(existsSync(`${project.path}/a.txt`)).toBe(false);
    await using other = watched(await connect(), { cwd: project.path });
    expect((await other.tool.dispatch('apply_patch', args)).error?.code).toBe('tool.unknown');
  });

  it('does not leave the sandbox through a link', async () => {
    symlinkSync(`${other.path}/secret`, `${project.path}/link`);
    symlinkSync(other.path, `${project.path}/folder`);
    symlinkSync(`${other.path}/new`, `${project.path}/dangling`);
    const options = { cwd: project.path, sandbox: workspaceWrite() };
    await using watch = watched(await connect(), options);
    for (const body of [
      '*** Update File: link\n@@\n-secret\n+mine',
      '*** Update File: folder/secret\n@@\n-secret\n+mine',
      '*** Update File: a.txt\n*** Move to: folder/moved\n@@\n-one\n+1',
      '*** Add File: dangling\n+mine',
      '*** Add File: folder/new\n+mine',
      '*** Delete File: folder/secret',
      `*** Add File: sub/../../${other.path.split('/').at(-1)}/new\n+mine`,
    ]) {
      expect(await watch.tool.applyPatch(patch(body)), body).toMatchObject({ isError: true });
    }
    expect(text(`${other.path}/secret`)).toBe('secret\n');
    expect(text(`${project.path}/a.txt`)).toBe('one\n');
    expect(existsSync(`${other.path}/new`) || existsSync(`${other.path}/moved`)).toBe(false);
  });

  it('is asked about with all of it, once, when the sandbox denies it', async () => {
    const asked: ApprovalRequest[] = [];
    const answers = [false, true];
    await using watch = watched(await connect(), {
      cwd: project.path,
      sandbox: readOnly(),
      approve: (request) => ({ allow: answers[asked.push(request) - 1] ?? false }),
    });
    const body = patch(`*** Update File: a.txt\n@@\n-one\n+1\n*** Add File: ${other.path}/new\n+x`);
    expect((await watch.tool.applyPatch(body)).error?.code).toBe('tool.rejected');
    expect(text(`${project.path}/a.txt`)).toBe('one\n');
    expect((await watch.tool.applyPatch(body)).isError).toBe(false);
    expect(text(`${project.path}/a.txt`) + text(`${other.path}/new`)).toBe('1\nx\n');
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({
      reason: 'retryWithoutSandbox',
      runs: 'outside',
      command: ['apply_patch', body],
      evidence: expect.stringContaining('Read-only file system'),
    });
  });

  it('is refused by rules, and by somebody who is asked about everything', async () => {
    await using ruled = watched(await connect(), {
      cwd: project.path,
      rules: () => ({ decision: 'forbidden', justification: 'no patches' }),
    });
    const body = patch('*** Delete File: a.txt');
    expect(await ruled.tool.applyPatch(body)).toMatchObject({ error: { code: 'tool.forbidden' } });
    await using careful = watched(await connect(), {
      cwd: project.path,
      approvalPolicy: 'untrusted',
      approve: () => ({ allow: false, message: 'better not' }),
    });
    expect((await careful.tool.applyPatch(body)).text).toContain('patch rejected: better not');
    expect(existsSync(`${project.path}/a.txt`)).toBe(true);
  });

  it('of the worst kind is answered', async () => {
    writeFileSync(`${project.path}/binary`, Buffer.from([0, 255, 254]));
    await using watch = watched(await connect(), { cwd: project.path });
    for (const body of [
      '*** Add File: a\0b\n+x',
      '*** Update File: binary\n@@\n-x\n+y',
      '*** Update File: /dev/zero\n@@\n-x\n+y',
      '*** Delete File: .',
      '*** Add File: \n+x',
      `*** Add File: ${'x'.repeat(100_000)}\n+x`,
      `${'x'.repeat(5_000_000)}`,
      `*** Add File: ${' '.repeat(200_000)}x\n+x`,
      '*** Add File: half\ud800\n+x',
      '*** Add File: half\n+x\udc00',
    ]) {
      const output = await watch.tool.applyPatch(patch(body));
      expect(output, body.slice(0, 50)).toMatchObject({ isError: true });
      expect(output.text.length).toBeLessThan(2_500);
    }
  });
});
