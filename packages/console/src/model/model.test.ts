import type { JournalEvent, ObservedProcess, TreeMember } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { comparePolicies } from './compare-policies.js';
import { foldIdle } from './fold-idle.js';
import { nestTree } from './nest-tree.js';
import type { ProcessRow } from './process-row.js';
import { whyQuiet } from './quiet.js';
import { sessionLife } from './session-life.js';
import { type SessionRow, World } from './world.js';

describe('a scale that folds idle time', () => {
  it('keeps the order and gives idle time little room', () => {
    const { position, folds } = foldIdle(
      [
        { fromMs: 0, toMs: 100 },
        { fromMs: 50, toMs: 200 },
        { fromMs: 100_200, toMs: 100_400 },
      ],
      100,
    );
    expect(folds).toEqual([{ at: 0.4, width: 0.2, idleMs: 100_000 }]);
    expect([0, 100, 200, 50_200, 100_200, 100_400, 999_999].map(position)).toEqual([
      0, 0.2, 0.4, 0.5, 0.6, 1, 1,
    ]);
  });
  it('has nothing to say about nothing', () => {
    expect(foldIdle([], 100).position(5)).toBe(0);
  });
});

const at = (seq: number) => ({ seq, atMs: 1000 + seq, session: 's' });
const started: JournalEvent = {
  ...at(2),
  kind: 'processStarted',
  processId: 'p',
  pid: 7,
  argv: ['bash', '-lc', 'npm test'],
  cwd: '/w',
  tty: false,
  sandboxType: 'none',
};

describe('the world', () => {
  it('follows the journal, each event once', () => {
    const world = new World();
    const events: JournalEvent[] = [
      { ...at(1), kind: 'sessionOpened', clientName: 'agent', identity: 'local:0' },
      started,
      { ...at(3), kind: 'processExited', processId: 'p', exitCode: 1, durationMs: 1, sandboxDenied: true },
    ];
    world.takeEvents(events, 0);
    world.takeEvents(events, 0);
    expect(world.events.value).toHaveLength(3);
    expect(world.process('s', 'p')?.value).toMatchObject({
      title: 'npm test',
      state: 'exited',
      denied: true,
      alive: true,
    });
    world.takeEvents(
      [
        { ...at(4), kind: 'processGone', processId: 'p' },
        { ...at(5), kind: 'sessionAway', expiresAtMs: 9 },
      ],
      0,
    );
    expect(world.process('s', 'p')?.value.alive).toBe(false);
    expect(world.sessions.value.get('s')).toMatchObject({
      state: 'away',
      clientName: 'agent',
      expiresAtMs: 9,
    });
  });
  it('keeps what only the journal remembers, as over', () => {
    const world = new World();
    world.takeEvents([started], 0);
    world.takeSnapshot([], [], { nowMs: 5000, sinceSeq: 2 });
    expect(world.process('s', 'p')?.value).toMatchObject({ state: 'lost', alive: false });
  });
  it('keeps a bounded number of sessions that are over', () => {
    const world = new World();
    for (let index = 1; index <= 2000; index += 2)
      world.takeEvents(
        [
          {
            seq: index,
            atMs: index,
            session: `s${index}`,
            kind: 'sessionOpened',
            clientName: 'a',
            identity: 'i',
          },
          { seq: index + 1, atMs: index, session: `s${index}`, kind: 'sessionEnded', reason: 'left' },
        ],
        0,
      );
    expect(world.sessions.value.size).toBe(500);
    expect(world.sessions.value.has('s1999')).toBe(true);
  });
  it('knows whose a process was that the server only has a copy of', () => {
    const world = new World();
    const process: ObservedProcess['process'] = {
      processId: 'p',
      argv: ['true'],
      cwd: '/',
      tty: false,
      state: 'closed',
      exitCode: 0,
      startedAtMs: 5,
      nextSeq: 1,
    };
    const past = { clientName: 'agent', identity: 'local:0' };
    world.takeSnapshot([], [{ session: 's', process, past }], { nowMs: 9, sinceSeq: 0 });
    expect(world.sessions.value.get('s')).toMatchObject({ ...past, state: 'ended', openedAtMs: 5 });
  });
});

describe('the life of a session', () => {
  const row: SessionRow = {
    session: 's',
    clientName: 'a',
    identity: 'i',
    state: 'attached',
    openedAtMs: 0,
    sinceMs: 0,
    ...{ processes: 0, running: 0, stalled: 0, observers: 0 },
  };
  const away = { kind: 'sessionAway', seq: 1, atMs: 100, session: 's', expiresAtMs: 999 } as const;
  const back: Extract<JournalEvent, { kind: 'sessionResumed' }> = {
    kind: 'sessionResumed',
    seq: 2,
    atMs: 130,
    session: 's',
    clientName: 'a',
    awayMs: 30,
    takenOver: false,
  };
  const shape = (events: readonly JournalEvent[], session: SessionRow = row): unknown[] =>
    sessionLife(events, session, 200).segments.map(({ state, fromMs, toMs }) => [state, fromMs, toMs]);
  it('is one part without a cut', () => {
    expect(shape([])).toEqual([['attached', 0, 200]]);
  });
  it('has a part for every time that the client was away', () => {
    expect(shape([away, back])).toEqual([
      ['attached', 0, 100],
      ['away', 100, 130],
      ['attached', 130, 200],
    ]);
  });
  it('ends where the session did, and ignores others', () => {
    const ended = { kind: 'sessionEnded', seq: 3, atMs: 150, session: 's', reason: 'expired' } as const;
    expect(shape([away, { ...back, session: 'other' }, ended])).toEqual([
      ['attached', 0, 100],
      ['away', 100, 150],
    ]);
    expect(shape([], { ...row, state: 'ended', sinceMs: 70 })).toEqual([['attached', 0, 70]]);
  });
});

describe('a tree', () => {
  const member = (pid: number, parentPid: number): TreeMember => ({
    ...{ pid, parentPid, argv: ['x'], state: 'sleeping', cpuMs: 0, residentBytes: 0 },
  });
  it('has everybody below who started them, whatever the order and also in a circle', () => {
    const nested = nestTree([member(5, 3), member(3, 1), member(4, 2), member(8, 9), member(9, 8)]);
    expect(nested.map(({ member: { pid }, depth }) => [pid, depth])).toEqual([
      [3, 0],
      [5, 1],
      [4, 0],
      [8, 0],
      [9, 0],
    ]);
  });
});

describe('why it is quiet', () => {
  const process: ProcessRow = {
    ...{
      key: 's/p',
      predecessors: 0,
      session: 's',
      processId: 'p',
      argv: [],
      title: '',
      cwd: '/',
      tty: false,
      state: 'running',
    },
    ...{ startedAtMs: 0, sandboxType: 'none', denied: false, stalled: false, alive: true },
  };
  const session = {
    ...{ session: 's', clientName: 'a', identity: 'i', state: 'attached', openedAtMs: 0, sinceMs: 0 },
    ...{ processes: 1, running: 1, stalled: 0, observers: 0 },
  } as const;
  const times = { nowMs: 30_000, lastOutputMs: 29_000, openApprovals: 0 };
  it.each([
    [{}, {}, {}, 'Runs.'],
    [{}, {}, { lastOutputMs: 1000 }, 'Runs, and has written nothing for 29 s.'],
    [{ stalled: true }, {}, {}, 'Stalled: its client does not read, so the command cannot write.'],
    [
      {},
      { state: 'away', expiresAtMs: 51_000 },
      {},
      'Its client is away; the session waits for it another 21 s.',
    ],
    [{}, {}, { openApprovals: 2 }, 'Its agent waits for 2 approvals.'],
    [
      { state: 'exited', exitCode: 0, endedAtMs: 3200 },
      {},
      {},
      'Exited with 0 after 3.2 s, but something that it started lives on and holds its output open.',
    ],
    [
      { state: 'closed', exitCode: 0, endedAtMs: 3200 },
      {},
      { members: ['sleep 9', 'node'] },
      'Exited with 0 after 3.2 s, but 2 processes that it started (sleep 9, node) live on.',
    ],
    [
      { state: 'closed', exitCode: 2, endedAtMs: 3200, alive: false },
      {},
      {},
      'Exited with 2 after 3.2 s. Nothing of it is left.',
    ],
    [{ state: 'starting' }, {}, {}, 'Waits in the line of commands to be launched.'],
  ] as const)('%j %j %j', (ofProcess, ofSession, ofTimes, sentence) => {
    const quiet = whyQuiet({ ...process, ...ofProcess }, { ...session, ...ofSession } as SessionRow, {
      ...times,
      ...ofTimes,
    });
    expect(quiet.sentence).toBe(sentence);
  });
});

describe('two policies', () => {
  const node = (path: string, access: 'read' | 'write' | 'deny', readOnlyNames: string[] = []) => ({
    path,
    access,
    readOnlyNames,
    children: [],
  });
  it('are compared at every place that one of them names', () => {
    const here = { nodes: [node('/', 'read'), node('/project', 'write', ['.git'])], denyGlobs: ['**/.env'] };
    const there = { nodes: [node('/', 'write'), node('/project/secret', 'deny')], denyGlobs: [] };
    expect(comparePolicies(here, there)).toEqual({
      places: [
        { path: '/', here: 'read', there: 'write' },
        { path: '/project', here: 'write', there: 'write' },
        { path: '/project/.git', here: 'read', there: 'write' },
        { path: '/project/secret', here: 'write', there: 'deny' },
      ],
      globs: [{ glob: '**/.env', isHere: true, isThere: false }],
    });
    expect(comparePolicies(here, here).places.every((place) => place.here === place.there)).toBe(true);
  });
});
