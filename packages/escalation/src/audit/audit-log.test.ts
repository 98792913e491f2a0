import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execRequest } from '../../test-support/exec-requests.js';
import { openAuditLog } from './audit-log.js';
import { boundedWords } from './bounded-words.js';
import { ExecRecorder } from './exec-recorder.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  file = join(folder, 'audit.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (path = file) =>
  openAuditLog(path, {
    now: () => new Date('2026-01-02T03:04:05Z'),
    onProblem: (message) => expect.unreachable(message),
  });
const lines = (): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the audit log', () => {
  it('is a file of its user alone, and grows', () => {
    for (const _ of [1, 2]) {
      const log = open();
      new ExecRecorder('c', log).decided(execRequest(['ls']), {
        decision: { action: 'run' },
        reason: 'no rule matches',
        matchedRules: [],
        asked: false,
      });
      log.close();
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lines()).toHaveLength(2);
    expect(lines()[0]).toEqual({
      time: '2026-01-02T03:04:05.000Z',
      event: 'exec',
      call: 'c',
      exec: 1,
      program: '/usr/bin/ls',
      argv: ['ls'],
      workdir: '/project',
      action: 'run',
      reason: 'no rule matches',
      matchedRules: [],
      asked: false,
      exitCode: null,
    });
  });

  it('is refused where others can read it, or where it is no file', () => {
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    writeFileSync(join(folder, 'private'), '', { mode: 0o600 });
    symlinkSync(join(folder, 'private'), join(folder, 'link'));
    mkdirSync(join(folder, 'folder'));
    for (const name of ['audit.jsonl', 'link', 'folder', 'missing/log']) {
      expect(() => open(join(folder, name))).toThrow(expect.objectContaining({ code: 'AUDIT_LOG_UNUSABLE' }));
    }
  });

  it('tells what runs outside when it begins and when it has ended', () => {
    const log = open();
    const recorder = new ExecRecorder('c', log);
    const decided = {
      decision: { action: 'escalate', environment: { SECRET: 'x' } },
      reason: 'allowed by a rule',
      matchedRules: [{ matchedPrefix: ['git'], decision: 'allow' }],
      asked: false,
    } as const;
    for (const requestId of [1, 2, 3])
      recorder.decided({ ...execRequest(['git'], { realPath: '/opt/git' }), requestId }, decided);
    recorder.event({ type: 'exited', requestId: 1, exitCode: 3 });
    recorder.event({ type: 'abandoned', requestId: 2 });
    recorder.close();
    recorder.close();
    expect(lines()).toMatchObject([
      { event: 'escalate', exec: 1, program: '/opt/git' },
      { event: 'escalate', exec: 2 },
      { event: 'escalate', exec: 3 },
      { event: 'exec', exec: 1, action: 'escalate', exitCode: 3, reason: 'allowed by a rule' },
      { event: 'exec', exec: 2, exitCode: null },
      { event: 'exec', exec: 3, exitCode: null, reason: 'allowed by a rule; ended with its call' },
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain('SECRET');
  });

  it('has a line for what the broker answers alone', () => {
    const recorder = new ExecRecorder('c', open());
    recorder.event({
      type: 'ran-unasked',
      requestId: 7,
      process: { pid: 1, startTime: '1' },
      file: '/bin/ls',
      argv: ['ls'],
      workdir: '/',
      isStartUp: false,
    });
    expect(lines()).toMatchObject([{ exec: 7, program: '/bin/ls', action: 'run' }]);
  });

  it('is not as long as the sandboxed side likes', () => {
    const recorder = new ExecRecorder('c', open());
    const huge = `/${'x'.repeat(1_000_000)}`;
    const argv = Array.from({ length: 100_000 }, () => 'word');
    const run = { decision: { action: 'run' }, reason: '', matchedRules: [], asked: false } as const;
    recorder.decided(execRequest(argv, { file: huge, workdir: huge }), run);
    recorder.event({
      type: 'ran-unasked',
      requestId: 1,
      process: { pid: 1, startTime: '1' },
      file: huge,
      argv: ['ls', huge, 'rest'],
      workdir: huge,
      isStartUp: false,
    });
    expect(readFileSync(file, 'utf8').length).toBeLessThan(200_000);
    expect(lines()).toMatchObject([{ omittedWords: 100_000 - 6553 }, { omittedWords: 2 }]);
  });
});

describe('the words of a line', () => {
  const all = 32 * 1024;
  it.each([
    [['a', 'b'], ['a', 'b'], undefined],
    [['x'.repeat(all)], ['x'.repeat(all)], undefined],
    [['x'.repeat(all + 1)], ['x'.repeat(all)], 1],
    [['x'.repeat(all - 2), 'y'], ['x'.repeat(all - 2), 'y'], undefined],
    [['x'.repeat(all - 1), ''], ['x'.repeat(all - 1)], 1],
    [[], [], undefined],
  ])('are whole up to a bound, and those that are not are counted', (words, argv, omittedWords) => {
    expect(boundedWords(words)).toEqual(omittedWords === undefined ? { argv } : { argv, omittedWords });
  });
});
