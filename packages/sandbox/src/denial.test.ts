import { describe, expect, it } from 'vitest';
import { type FinishedCommand, findDenial, isLikelyDenied } from './denial.js';

const command = (fields: Partial<FinishedCommand>): FinishedCommand => ({
  sandbox: 'linuxSeccomp',
  exitCode: 1,
  stdout: '',
  stderr: '',
  ...fields,
});

describe('the denial verdict', () => {
  it.each<[string, Partial<FinishedCommand>, boolean]>([
    ['success is never a denial', { exitCode: 0, stderr: 'Permission denied' }, false],
    ['nor is anything without a sandbox', { sandbox: 'none', stderr: 'Permission denied' }, false],
    ['nor a silent failure', {}, false],
    ['operation not permitted', { stderr: 'mount: Operation not permitted' }, true],
    ['permission denied, in any case', { stderr: 'PERMISSION DENIED' }, true],
    ['read-only file system', { stderr: "touch: cannot touch 'x': Read-only file system" }, true],
    ['seccomp', { stderr: 'killed by seccomp' }, true],
    ['sandbox', { stderr: 'sandbox: no' }, true],
    ['landlock', { stderr: 'landlock' }, true],
    ['failed to write file', { stderr: 'Failed to write file /x' }, true],
    ['in the standard output', { stdout: 'permission denied' }, true],
    ['in the combined output', { combined: 'permission denied' }, true],
    [
      'exit 2, 126 and 127 with a keyword',
      { exitCode: 2, stderr: 'sh: cannot create x: Read-only file system' },
      true,
    ],
    ['exit 127 without one', { exitCode: 127, stderr: 'sh: x: not found' }, false],
    ['the exit code of SIGSYS on Linux', { exitCode: 159 }, true],
    ['but not on macOS', { exitCode: 159, sandbox: 'macosSeatbelt' }, false],
    ['a keyword on macOS', { sandbox: 'macosSeatbelt', stderr: 'Operation not permitted' }, true],
  ])('%s', (_title, fields, expected) => {
    expect(isLikelyDenied(command(fields))).toBe(expected);
  });
});

describe('the evidence', () => {
  it.each<[string, Partial<FinishedCommand>, object]>([
    [
      'names the path',
      { stderr: "first\ntouch: cannot touch '/etc/x': Read-only file system\nlast" },
      {
        reason: 'read_only_file_system',
        line: "touch: cannot touch '/etc/x': Read-only file system",
        path: '/etc/x',
      },
    ],
    [
      'a path without quotes',
      { stderr: 'bash: /etc/x: Permission denied' },
      { reason: 'permission_denied', line: 'bash: /etc/x: Permission denied', path: '/etc/x' },
    ],
    [
      'a relative path',
      { stderr: 'cat: ./x: Permission denied' },
      { reason: 'permission_denied', line: 'cat: ./x: Permission denied', path: './x' },
    ],
    [
      'no path',
      { stderr: 'socket: Operation not permitted' },
      { reason: 'operation_not_permitted', line: 'socket: Operation not permitted', path: undefined },
    ],
    [
      'stderr goes before stdout',
      { stdout: 'permission denied', stderr: 'seccomp' },
      { reason: 'policy_denied', line: 'seccomp', path: undefined },
    ],
    ['a signal has no line', { exitCode: 159 }, { reason: 'sigsys', line: '', path: undefined }],
  ])('%s', (_title, fields, expected) => {
    expect(findDenial(command(fields))).toEqual(expected);
  });

  it('is cut to 512 characters', () => {
    expect(findDenial(command({ stderr: `${'x'.repeat(2000)} permission denied` }))?.line).toHaveLength(512);
  });
});
