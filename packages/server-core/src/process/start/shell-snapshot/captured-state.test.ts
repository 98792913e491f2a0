import { describe, expect, it } from 'vitest';
import { parseCapturedState } from './captured-state.js';

const LIMITS =
  'open files                          (-n) 1024\nstack size                  (kbytes, -s) 8192\n';
const RECORDS = [
  '/start',
  `0022\n${LIMITS}`,
  LIMITS,
  'NONCE',
  '3',
  "trap -- 'x' EXIT\n",
  'set -o errexit\nset +o xtrace\n',
  'shopt -s extglob\n',
  "alias a='b'\n",
  '/now',
  `0077\n${LIMITS.replace('1024', '500')}`,
  LIMITS,
  'declare -- IFS=":"\n',
  'declare -fx f\n',
  'f () \n{ \n    :\n}',
  'NONCE',
  "declare -- IFS=$' \\t\\n'\n",
  'declare -rx A="one\ntwo"\n',
  'declare -a LIST=([0]="x")\n',
  'NONCE',
];
const text = (records: readonly string[] = RECORDS) => records.map((record) => `${record}\0`).join('');

describe('parseCapturedState', () => {
  it('reads what a shell prints', () => {
    const state = parseCapturedState(text(), 'NONCE');
    expect(state).toMatchObject({ status: 3, traps: "trap -- 'x' EXIT\n", functions: RECORDS[14] });
    expect(state?.before).toMatchObject({ directory: '/start', umask: '0022' });
    expect(state?.after).toMatchObject({ directory: '/now', umask: '0077' });
    expect(state?.after.limits.soft).toEqual(
      new Map([
        ['n', '500'],
        ['s', '8192'],
      ]),
    );
    expect(state?.variables).toEqual([
      { name: 'A', isExported: true, declaration: 'declare -rx A="one\ntwo"' },
      { name: 'LIST', isExported: false, declaration: 'declare -a LIST=([0]="x")' },
      { name: 'IFS', isExported: false, declaration: 'declare -- IFS=":"' },
    ]);
  });

  it('takes nothing of a text that is cut or not the expected one', () => {
    for (let length = 0; length < RECORDS.length; length++) {
      expect(
        parseCapturedState(text(RECORDS.slice(0, length)), 'NONCE'),
        `${length} records`,
      ).toBeUndefined();
    }
    expect(parseCapturedState(text().slice(0, -1), 'NONCE')).toBeUndefined();
    expect(parseCapturedState(text(), 'ANOTHER')).toBeUndefined();
  });
});
