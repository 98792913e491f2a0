import { expect, describe as group, it } from 'vitest';
import { describe } from './doctor-command.js';

group('what doctor prints', () => {
  it('puts the fix below what is missing, and ends with the verdict', () => {
    const text = describe({
      usable: false,
      policies: [],
      findings: [
        { topic: 'node', status: 'ok', detail: 'Node 20' },
        {
          topic: 'bubblewrap',
          status: 'missing',
          detail: 'not installed',
          fix: 'apt-get install -y bubblewrap',
        },
      ],
    });
    expect(text).toBe(
      [
        '✓ node        Node 20',
        '✗ bubblewrap  not installed',
        '              fix: apt-get install -y bubblewrap',
        '',
        'Commands cannot be sandboxed here; sandboxed requests are refused.',
        '',
      ].join('\n'),
    );
  });

  it('lists what was tried, and names the flag that accepts what is weaker', () => {
    const text = describe({
      usable: true,
      findings: [{ topic: 'node', status: 'ok', detail: 'Node 20' }],
      policies: [
        { policy: 'read-only', enforceable: true, by: 'bubblewrap' },
        { policy: 'write', enforceable: true, by: 'landlock', weaker: ['the host is visible'] },
        {
          policy: 'denied reads',
          enforceable: false,
          by: 'landlock',
          reason: 'there is no way',
          accept: ['host-proc', 'host-signals'],
          fix: 'apt-get install -y bubblewrap',
        },
      ],
    });
    expect(text.split('\n')).toEqual([
      '✓ node          Node 20',
      '',
      'Tried:',
      '✓ read-only     holds, by bubblewrap',
      '! write         holds, by landlock; the host is visible',
      '✗ denied reads  there is no way',
      '                fix: apt-get install -y bubblewrap',
      '                or serve with: --accept-weaker-sandbox host-proc --accept-weaker-sandbox host-signals',
      '',
      'Commands can be sandboxed here, but not by every policy: requests with "denied reads" are refused.',
      '',
    ]);
  });

  it('never says that commands can be sandboxed where they cannot', () => {
    const failing = { enforceable: false, by: 'none', reason: 'no' } as const;
    const text = describe({
      usable: false,
      findings: [],
      policies: [
        { policy: 'read-only', ...failing },
        { policy: 'workspace-write', ...failing },
      ],
    });
    expect(text).toContain('Commands cannot be sandboxed here');
    const some = describe({
      usable: false,
      findings: [],
      policies: [
        { policy: 'read-only', ...failing },
        { policy: 'other', enforceable: true, by: 'landlock' },
      ],
    });
    expect(some).toContain('Commands cannot be sandboxed here as they should');
  });
});
