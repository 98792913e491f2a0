import { describe, expect, it } from 'vitest';
import { CheckArgumentsError, readCheckArguments } from './check-arguments.js';

const PLAIN = { rules: ['a'], pretty: false, resolveHostExecutables: false };

describe('the command line of `execpolicy check`', () => {
  it.each([
    ['-r a git status', { ...PLAIN, command: ['git', 'status'] }],
    ['--rules a git', { ...PLAIN, command: ['git'] }],
    ['--rules=a git', { ...PLAIN, command: ['git'] }],
    ['-r a -r b git', { ...PLAIN, rules: ['a', 'b'], command: ['git'] }],
    ['-rc git', { ...PLAIN, rules: ['c'], command: ['git'] }],
    ['-r -x git', { ...PLAIN, rules: ['-x'], command: ['git'] }],
    ['-r a -- git -- x', { ...PLAIN, command: ['git', '--', 'x'] }],
    ['-r a git --pretty -r b', { ...PLAIN, command: ['git', '--pretty', '-r', 'b'] }],
    ['-r a --pretty git', { ...PLAIN, pretty: true, command: ['git'] }],
    ['-r a --resolve-host-executables git', { ...PLAIN, resolveHostExecutables: true, command: ['git'] }],
    ['-r a -c x=1 --config=y=2 --enable a --disable=b git', { ...PLAIN, command: ['git'] }],
    ['-r a --unknown git', { ...PLAIN, command: ['--unknown', 'git'] }],
    ['-r a -rb.rules git', { ...PLAIN, command: ['-rb.rules', 'git'] }],
    ['-r a -h=x', { ...PLAIN, command: ['-h=x'] }],
    ['-r a - git', { ...PLAIN, command: ['-', 'git'] }],
    ['-r a -- -- git', { ...PLAIN, command: ['--', 'git'] }],
  ])('%s', (line, expected) => {
    expect(readCheckArguments(line.split(' '))).toEqual(expected);
  });

  it.each(['-h', '--help', '-r a -h', '-hr a git'])('%s asks for help', (line) => {
    expect(readCheckArguments(line.split(' '))).toBe('help');
  });

  it.each([
    '',
    'git',
    'git -r a',
    '-r a',
    '-r a --',
    '-r',
    '-r -r git',
    '-r --pretty git',
    '-r a -c -- git',
    '-r a --enable --pretty git',
    '--rules= git',
    '-r a --pretty --pretty git',
    '-r a --pretty=true git',
    '-r a --help=x git',
    '-r=a git',
  ])('%s is none', (line) => {
    expect(() => readCheckArguments(line === '' ? [] : line.split(' '))).toThrow(CheckArgumentsError);
  });
});
