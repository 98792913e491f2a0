// What the page knows where answers and events overtake each other, and where ids are used again.

import type { Approval, JournalEvent, ObservedProcess, ObservedSession } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { World } from './world.js';

const at = (seq: number) => ({ seq, atMs: 1000 * seq, session: 's' });
const start = (seq: number, processId: string, script = processId): JournalEvent => ({
  ...at(seq),
  kind: 'processStarted',
  processId,
  pid: seq,
  argv: ['sh', '-c', script],
  cwd: '/w',
  tty: false,
  sandboxType: 'none',
});
const exit = (seq: number, processId: string): JournalEvent => ({
  ...at(seq),
  kind: 'processExited',
  processId,
  exitCode: 0,
  durationMs: 1,
  sandboxDenied: false,
});
const gone = (seq: number, processId: string): JournalEvent => ({
  ...at(seq),
  kind: 'processGone',
  processId,
});
const session: ObservedSession = {
  session: 's',
  clientName: 'agent',
  identity: 'local:0',
  state: 'attached',
  openedAtMs: 1,
  sinceMs: 1,
  processes: 1,
  running: 1,
  stalled: 0,
  observers: 1,
};
const listed = (processId: string, startedAtMs: number): ObservedProcess => ({
  session: 's',
  process: {
    processId,
    argv: ['sh', '-c', processId],
    cwd: '/w',
    tty: false,
    state: 'running',
    exitCode: null,
    startedAtMs,
    nextSeq: 1,
  },
});
const stateOf = (world: World, processId: string): string | undefined =>
  world.process('s', processId)?.value.state;

describe('a list that was made while things went on', () => {
  it('does not end what has started since', () => {
    const world = new World();
    world.takeEvents([start(2, 'late')], 0);
    world.takeSnapshot([session], [], { nowMs: 3000, sinceSeq: 1 });
    expect(stateOf(world, 'late')).toBe('running');
  });
  it('does not bring back to life what has ended since', () => {
    const world = new World();
    world.takeEvents([start(2, 'brief')], 0);
    world.takeEvents([exit(3, 'brief'), gone(4, 'brief')], 0);
    world.takeSnapshot([session], [listed('brief', 2000)], { nowMs: 5000, sinceSeq: 2 });
    expect(world.process('s', 'brief')?.value).toMatchObject({ state: 'exited', alive: false });
  });
  it('does not end a session that was opened since', () => {
    const world = new World();
    world.takeEvents([{ ...at(2), kind: 'sessionOpened', clientName: 'new', identity: 'i' }], 0);
    world.takeSnapshot([], [], { nowMs: 3000, sinceSeq: 1 });
    expect(world.sessions.value.get('s')).toMatchObject({ state: 'attached', clientName: 'new' });
  });
});

describe('an id that is used again', () => {
  const first = [start(2, 'p', 'the first'), exit(3, 'p'), gone(4, 'p')];
  it('is another process', () => {
    const world = new World();
    world.takeEvents([...first, start(9, 'q'), start(10, 'p', 'the second')], 0);
    expect(world.process('s', 'p')?.value).toMatchObject({
      title: 'the second',
      state: 'running',
      alive: true,
      predecessors: 1,
    });
    // It is the newest.
    expect([...world.processes.value.keys()]).toEqual(['s/q', 's/p']);
  });
  it('also where only the list tells of it', () => {
    const world = new World();
    world.takeEvents(first, 0);
    world.takeSnapshot([session], [listed('p', 10_000)], { nowMs: 11_000, sinceSeq: 4 });
    expect(world.process('s', 'p')?.value).toMatchObject({ state: 'running', predecessors: 1 });
    world.takeSnapshot([session], [listed('p', 10_000)], { nowMs: 12_000, sinceSeq: 4 });
    expect(world.process('s', 'p')?.value.predecessors).toBe(1);
  });
  it('is the same one when its history is told again', () => {
    const world = new World();
    world.takeSnapshot([session], [listed('p', 1999)], { nowMs: 5000, sinceSeq: 0 });
    world.takeEvents(first, 0);
    expect(world.process('s', 'p')?.value).toMatchObject({ state: 'exited', predecessors: 0 });
  });
});

describe('approvals', () => {
  const approval = (id: string, outcome?: Approval['outcome']): Approval => ({
    session: 's',
    approval: id,
    title: id,
    choices: [],
    askedAtMs: 1,
    expiresAtMs: 2,
    ...(outcome === undefined ? {} : { outcome }),
  });
  it('that went while the page was cut off are not open any more', () => {
    const world = new World();
    world.takeApproval(approval('withdrawn'));
    world.takeApproval(approval('decided', { decision: 'allow', decided: true }));
    world.takeApproval(approval('open'));
    world.takeApprovals([approval('open'), approval('new')]);
    expect([...world.approvals.value.values()].map((one) => one.approval)).toEqual([
      'decided',
      'open',
      'new',
    ]);
  });
});
