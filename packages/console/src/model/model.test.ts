import type { JournalEvent } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { foldIdle } from './fold-idle.js';
import type { ProcessRow } from './process-row.js';
import { whyQuiet } from './quiet.js';
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
    world.takeSnapshot([], [], 5000);
    expect(world.process('s', 'p')?.value).toMatchObject({ state: 'lost', alive: false });
  });
});

describe('why it is quiet', () => {
  const process: ProcessRow = {
    ...{
      key: 's/p',
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
