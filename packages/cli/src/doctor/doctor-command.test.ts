import { expect, it } from 'vitest';
import { describe } from './doctor-command.js';

it('puts the fix below what is missing, and ends with the verdict', () => {
  const text = describe({
    usable: false,
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
