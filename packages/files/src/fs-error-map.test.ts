import { invalidParams, RpcErrorCode } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { errnoError, invalidInput, otherError, toFsError } from './fs-error.js';
import { toRpcError } from './fs-error-map.js';

const nodeError = (code: string, errno: number) => Object.assign(new TypeError('x'), { code, errno });

describe('file errors on the wire', () => {
  it.each([
    ['ENOENT', -2, RpcErrorCode.notFound, 'No such file or directory (os error 2)'],
    ['EACCES', -13, RpcErrorCode.invalidRequest, 'Permission denied (os error 13)'],
    ['EPERM', -1, RpcErrorCode.invalidRequest, 'Operation not permitted (os error 1)'],
    ['EINVAL', -22, RpcErrorCode.invalidRequest, 'Invalid argument (os error 22)'],
    ['ENOTDIR', -20, RpcErrorCode.internal, 'Not a directory (os error 20)'],
    ['ELOOP', -40, RpcErrorCode.internal, 'Symbolic link loop (os error 40)'],
    ['EROFS', -30, RpcErrorCode.internal, 'Read-only file system (os error 30)'],
  ])('%s', (code, errno, expected, message) => {
    expect(toRpcError(nodeError(code, errno))).toMatchObject({ code: expected, message });
  });

  it('has the text of an errno without a table entry from the system', () => {
    expect(toRpcError(nodeError('ECONNRESET', -104)).message).toMatch(
      /connection reset by peer \(os error 104\)/i,
    );
  });

  it('keeps what has its number already', () => {
    const error = invalidParams('no');
    expect(toRpcError(error)).toBe(error);
  });

  it('maps the kinds that have no errno', () => {
    expect(toRpcError(invalidInput('bad')).code).toBe(RpcErrorCode.invalidRequest);
    expect(toRpcError(otherError('odd')).code).toBe(RpcErrorCode.internal);
    expect(toRpcError('thrown text')).toMatchObject({ code: RpcErrorCode.internal, message: 'thrown text' });
  });

  it('takes an argument check of Node as invalid input', () => {
    const check = Object.assign(new TypeError('must be a string without null bytes'), {
      code: 'ERR_INVALID_ARG_VALUE',
    });
    expect(toFsError(check).code).toBe('FS_INVALID_INPUT');
    expect(errnoError('EEXIST').errno).toBe('EEXIST');
  });
});
