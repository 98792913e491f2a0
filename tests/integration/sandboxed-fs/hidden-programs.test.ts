// `codex-fs` and `codex-linux-sandbox` as people and other programs start them: by the name of a link, and by a flag.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP } from '../cli/support/codex-command.js';

let directory = '';

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'hidden-programs-')));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(program: string, args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const linked = (name: string): string => {
  const link = join(directory, name);
  if (!existsSync(link)) symlinkSync(APP, link);
  return link;
};

describe('codex-fs', () => {
  const ask = (operation: string, params: object) => {
    const request = JSON.stringify({ operation, params: { ...params, sandbox: null } });
    const byLink = run(linked('codex-fs'), [], request);
    const byFlag = run(APP, ['--codex-run-as-fs-helper'], request);
    expect(byFlag).toEqual(byLink);
    expect(byLink).toMatchObject({ status: 0, stderr: '' });
    expect(byLink.stdout.endsWith('\n')).toBe(true);
    return JSON.parse(byLink.stdout) as unknown;
  };

  it('answers one request with one line', () => {
    const path = join(directory, 'file');
    writeFileSync(path, 'hello');
    expect(ask('fs/readFile', { path: `file://${path}` })).toEqual({
      status: 'ok',
      payload: { operation: 'fs/readFile', response: { dataBase64: 'aGVsbG8=' } },
    });
    expect(ask('fs/readFile', { path: `file://${path}-missing` })).toEqual({
      status: 'error',
      payload: { code: -32004, message: 'No such file or directory (os error 2)' },
    });
    expect(ask('fs/frobnicate', {})).toMatchObject({ status: 'error', payload: { code: -32600 } });
    expect(ask('fs/readFile', {})).toMatchObject({ status: 'error', payload: { code: -32600 } });
  });

  it('answers nonsense with an error', () => {
    const { status, stdout } = run(linked('codex-fs'), [], 'not json');
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { status: 'error', payload: expect.objectContaining({ code: -32600 }) },
    ]);
  });
});

describe('codex-linux-sandbox', () => {
  it('runs a command under a permission profile', () => {
    const entries = [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }];
    const profile = { type: 'managed', file_system: { type: 'restricted', entries }, network: 'restricted' };
    const flags = ['--sandbox-policy-cwd', directory, '--command-cwd', directory];
    const command = ['--', '/bin/sh', '-c', 'pwd; echo x > planted; exit 7'];
    const args = [...flags, '--permission-profile', JSON.stringify(profile), ...command];
    for (const result of [
      run(linked('codex-linux-sandbox'), args),
      run(APP, ['--codex-run-as-linux-sandbox', ...args]),
    ]) {
      expect(result).toMatchObject({ status: 7, stdout: `${directory}\n` });
      expect(result.stderr).toMatch(/read-only/i);
    }
    expect(existsSync(join(directory, 'planted'))).toBe(false);
    expect(run(linked('codex-linux-sandbox'), command)).toMatchObject({ status: 2 });
    expect(
      run(linked('codex-linux-sandbox'), [...flags, '--permission-profile', '{"type":"?"}', ...command]),
    ).toMatchObject({ status: 2 });
  });
});
