import type { ObservedProcess } from '@codex/exec-protocol';
import { expect, it } from 'vitest';
import { chooseProcess } from './find-process.js';

const one = (session: string, processId: string, pid: number): ObservedProcess => ({
  session,
  process: {
    processId,
    pid,
    argv: [],
    cwd: '/',
    tty: false,
    state: 'running',
    exitCode: null,
    nextSeq: 1,
  },
});

const PROCESSES = [
  one('s-a', 'build', 10),
  one('s-b', 'build', 11),
  one('s-b', 'build-2', 12),
  one('s-b', 'x', 13),
];

it('finds a process by id, by pid, by the beginning of its id, and by its session', () => {
  expect(chooseProcess(PROCESSES, 'x').process.pid).toBe(13);
  expect(chooseProcess(PROCESSES, '12').process.processId).toBe('build-2');
  expect(chooseProcess(PROCESSES, 'build-').process.pid).toBe(12);
  expect(chooseProcess(PROCESSES, 's-b/build').process.pid).toBe(11);
});

it('does not guess', () => {
  expect(() => chooseProcess(PROCESSES, 'build')).toThrow(
    '2 processes are called build: s-a/build, s-b/build',
  );
  expect(() => chooseProcess(PROCESSES, 'nothing')).toThrow('no process is called nothing');
});
