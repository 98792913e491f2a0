import { describe, expect, it } from 'vitest';
import { snapshotRequestOf } from './snapshot-request.js';

const bash = { name: 'bash', path: '/bin/bash' };
const params = (more: object = {}) => ({
  argv: ['/bin/bash', '-lc', 'true'],
  env: { A: '1' },
  shellSnapshot: { scopeId: 's', shell: bash },
  ...more,
});

describe('snapshotRequestOf', () => {
  it('takes the login command of the shell it names', () => {
    expect(snapshotRequestOf(params(), 'linux')).toEqual({
      scopeId: 's',
      shell: '/bin/bash',
      policy: null,
      overlay: { A: '1' },
    });
  });

  it.each([
    ['no snapshot is asked for', { shellSnapshot: null }],
    ['the program is another', { argv: ['/usr/bin/bash', '-lc', 'true'] }],
    ['it is no login shell', { argv: ['/bin/bash', '-c', 'true'] }],
    ['there is no script', { argv: ['/bin/bash', '-lc'] }],
    ['the shell cannot be captured', { shellSnapshot: { scopeId: 's', shell: { ...bash, name: 'sh' } } }],
    ['the shell would not restore anything', { env: { POSIXLY_CORRECT: '' } }],
    ['the shell has options of its environment', { env: { BASHOPTS: 'extglob' } }],
  ])('leaves the command as it is when %s', (_, more) => {
    expect(snapshotRequestOf(params(more), 'linux')).toBeUndefined();
  });

  it('refuses scopes and shells that cannot be', () => {
    const scope = (scopeId: string) => () =>
      snapshotRequestOf(params({ shellSnapshot: { scopeId, shell: bash } }), 'linux');
    expect(scope('')).toThrow('shell snapshot scope must be non-empty and at most 256 bytes');
    expect(scope('é'.repeat(129))).toThrow('at most 256 bytes');
    expect(scope('é'.repeat(128))).not.toThrow();
    const fish = { scopeId: 's', shell: { ...bash, name: 'fish' } };
    expect(() => snapshotRequestOf(params({ shellSnapshot: fish }), 'linux')).toThrow(
      'shell snapshots are unsupported for shell `fish`',
    );
    expect(() => snapshotRequestOf(params(), 'win32')).toThrow(
      'shell snapshots are unsupported on this platform',
    );
  });
});
