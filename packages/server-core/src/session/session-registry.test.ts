import { describe, expect, it, vi } from 'vitest';
import { ManualClock, settle } from '../../test-support/manual-clock.js';
import { RecordingPeer } from '../../test-support/recording-peer.js';
import { ScriptedLauncher } from '../../test-support/scripted-launcher.js';
import { requestOf } from '../../test-support/scripted-table.js';
import { silentLogger } from '../logger.js';
import { DEFAULT_PROCESS_LIMITS } from '../process/process-limits.js';
import { startProcess } from '../process/start/start-process.js';
import type { Session } from './session.js';
import type { SessionConnection } from './session-connection.js';
import { DEFAULT_SESSION_LIMITS, type SessionLimits } from './session-limits.js';
import { SessionRegistry } from './session-registry.js';

class FakeConnection implements SessionConnection {
  readonly identity: string;
  readonly recorded = new RecordingPeer();
  readonly peer = this.recorded.asPeer;
  readonly lifecycleNotifications = false;
  readonly signal = new AbortController().signal;
  isSilent = false;
  closedWith: number | undefined;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock, identity = 'me') {
    this.#clock = clock;
    this.identity = identity;
  }

  probe(timeoutMs: number): Promise<boolean> {
    if (!this.isSilent) return Promise.resolve(true);
    return new Promise((resolve) => this.#clock.schedule(timeoutMs, () => resolve(false)));
  }

  close(code?: number): void {
    this.closedWith = code;
  }
}

function setUp(limits: Partial<SessionLimits> = {}) {
  const clock = new ManualClock();
  const launcher = new ScriptedLauncher();
  const session = { ...DEFAULT_SESSION_LIMITS, ...limits };
  const registry = new SessionRegistry({
    process: DEFAULT_PROCESS_LIMITS,
    session,
    clock,
    logger: silentLogger,
    launcher,
  });
  const connection = (identity?: string) => new FakeConnection(clock, identity);
  const resume = (id: string, by = connection()) =>
    registry.open({ clientName: 'x', resumeSessionId: id }, by);
  return { clock, launcher, registry, connection, resume };
}

async function startIn(session: Session, processId = 'p'): Promise<void> {
  const request = requestOf(processId, { io: { type: 'pipe', stdin: 'closed' } });
  const { process } = await startProcess(session.processes, request);
  session.processes.announce(process);
}

/** A server that ends while a client is attached to a process of its. */
async function setUpShutdown() {
  const parts = setUp();
  const holder = parts.connection();
  const session = await parts.registry.open({ clientName: 'x', resumeSessionId: null }, holder);
  await startIn(session);
  const down = vi.fn();
  void parts.registry.shutdown().then(down);
  return { ...parts, holder, session, down };
}

describe('SessionRegistry', () => {
  it('keeps a session for its time when the client can come back, and ends its processes then', async () => {
    const { clock, registry, connection, launcher, resume } = setUp();
    const first = connection();
    const session = await registry.open({ clientName: 'x', resumeSessionId: null }, first);
    await startIn(session);
    session.detach(first);
    await clock.advance(79_999);
    const second = connection();
    expect(await resume(session.id, second)).toBe(session);
    expect([session.isAttachedTo(first), session.isAttachedTo(second)]).toEqual([false, true]);
    session.detach(first);
    expect(session.isAttachedTo(second)).toBe(true);
    session.detach(second);
    await clock.advance(80_000);
    expect(launcher.last.done).toEqual(['kill']);
    await expect(resume(session.id)).rejects.toMatchObject({
      code: -32600,
      message: `unknown session id ${session.id}`,
    });
    expect(registry.size).toBe(0);
  });

  it('ends a session with its connection when the client did not say that it comes back', async () => {
    const { registry, connection, launcher } = setUp();
    const only = connection();
    const session = await registry.open({ clientName: 'x' }, only);
    await startIn(session);
    session.detach(only);
    expect(launcher.last.done).toEqual(['kill']);
    expect([session.isEnded, registry.size]).toEqual([true, 0]);
  });

  it('grants the time that was asked for, up to the maximum', async () => {
    const { clock, registry, connection } = setUp({ maxSessionTtlMs: 100_000 });
    const holders = [connection(), connection()] as const;
    const long = await registry.open(
      { clientName: 'x', resumeSessionId: null, sessionTtlMs: 60_000 },
      holders[0],
    );
    const capped = await registry.open(
      { clientName: 'x', resumeSessionId: null, sessionTtlMs: 999_999_999 },
      holders[1],
    );
    long.detach(holders[0]);
    capped.detach(holders[1]);
    await clock.advance(59_999);
    expect(long.isEnded).toBe(false);
    await clock.advance(1);
    expect([long.isEnded, capped.isEnded]).toEqual([true, false]);
    await clock.advance(40_000);
    expect(capped.isEnded).toBe(true);
  });

  it('refuses to take a session from a holder that answers', async () => {
    const { registry, connection, resume } = setUp();
    const holder = connection();
    const session = await registry.open({ clientName: 'x', resumeSessionId: null }, holder);
    await expect(resume(session.id)).rejects.toMatchObject({
      code: -32010,
      message: `session ${session.id} is already attached to another connection`,
    });
    expect(session.isAttachedTo(holder)).toBe(true);
  });

  it('takes it from a holder that is silent for two seconds, for one of those who want it', async () => {
    const { clock, registry, connection, resume } = setUp();
    const holder = connection();
    const session = await registry.open({ clientName: 'x', resumeSessionId: null }, holder);
    holder.isSilent = true;
    const [one, two] = [connection(), connection()];
    const attempts = Promise.allSettled([resume(session.id, one), resume(session.id, two)]);
    await clock.advance(1999);
    expect(session.isAttachedTo(holder)).toBe(true);
    await clock.advance(1);
    expect(await attempts).toMatchObject([{ value: session }, { reason: { code: -32010 } }]);
    expect(session.isAttachedTo(one)).toBe(true);
    expect(holder.closedWith).toBe(4001);
  });

  it('ends at once when its client says that it does not come back, and only then', async () => {
    const { registry, connection, resume } = setUp();
    const [holder, stranger] = [connection(), connection()];
    const session = await registry.open({ clientName: 'x', resumeSessionId: null }, holder);
    session.leave(stranger);
    expect(session.isEnded).toBe(false);
    session.leave(holder);
    expect([session.isEnded, registry.size]).toEqual([true, 0]);
    await expect(resume(session.id, stranger)).rejects.toThrow('unknown session');
  });

  it('gives it to who asked when the holder left during the probe', async () => {
    const { clock, registry, connection, resume } = setUp();
    const holder = connection();
    const session = await registry.open({ clientName: 'x', resumeSessionId: null }, holder);
    holder.isSilent = true;
    const next = connection();
    const attempt = resume(session.id, next);
    await settle();
    session.detach(holder);
    await clock.advance(2000);
    expect(await attempt).toBe(session);
    expect(holder.closedWith).toBeUndefined();
  });

  it('does not tell a stranger that a session exists', async () => {
    const { registry, connection, resume } = setUp();
    const session = await registry.open({ clientName: 'x', resumeSessionId: null }, connection());
    await expect(resume(session.id, connection('stranger'))).rejects.toThrow(
      `unknown session id ${session.id}`,
    );
  });

  it('bounds the number of sessions', async () => {
    const { registry, connection } = setUp({ maxSessions: 1 });
    await registry.open({ clientName: 'x' }, connection());
    await expect(registry.open({ clientName: 'x' }, connection())).rejects.toMatchObject({
      message: 'too many sessions: the limit (maxSessions) is 1',
    });
  });

  it('ends the oldest that nobody holds and that has no process, in favour of a new one', async () => {
    const { registry, connection } = setUp({ maxSessions: 3 });
    const params = { clientName: 'x', resumeSessionId: null };
    const open = async () => {
      const own = connection();
      return { own, session: await registry.open(params, own) };
    };
    const [busy, first, second] = [await open(), await open(), await open()];
    await startIn(busy.session, 'p');
    busy.session.detach(busy.own);
    first.session.detach(first.own);
    await open();
    expect([busy, first, second].map(({ session }) => session.isEnded)).toEqual([false, true, false]);
    await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('too many sessions') });
    expect(busy.session.isEnded).toBe(false);
  });

  it('asks commands to end at shutdown, kills what is left after the grace period, and starts nothing more', async () => {
    const { clock, registry, connection, launcher, holder, session, down } = await setUpShutdown();
    await settle();
    expect(launcher.last.done).toEqual(['SIGTERM group']);
    await expect(startIn(session, 'q')).rejects.toThrow('exec-server is shutting down');
    await expect(registry.open({ clientName: 'x' }, connection())).rejects.toThrow(
      'exec-server is shutting down',
    );
    await clock.advance(DEFAULT_PROCESS_LIMITS.shutdownGracePeriodMs);
    expect(launcher.last.done).toContain('kill');
    launcher.last.finish();
    await settle();
    expect(holder.recorded.pull()).toEqual(['exited 1 0', 'closed 2']);
    await settle();
    expect(down).toHaveBeenCalled();
    expect(registry.size).toBe(0);
  });

  it('sends a client everything before the shutdown is over: the last output, exits and ends', async () => {
    const { launcher, holder, down } = await setUpShutdown();
    launcher.last.exit({ code: 5 });
    await settle();
    expect(launcher.last.done).toEqual(['SIGTERM group', 'kill']);
    launcher.last.say('bye');
    launcher.last.finish();
    await settle();
    expect(down).not.toHaveBeenCalled();
    expect(holder.recorded.pull()).toEqual(['exited 1 5', 'output 2 bye', 'closed 3']);
    await settle();
    expect(down).toHaveBeenCalled();
  });

  it('leaves the grace period to the commands of a client that goes meanwhile and could come back', async () => {
    const { clock, launcher, holder, session, down } = await setUpShutdown();
    session.detach(holder);
    await clock.advance(DEFAULT_PROCESS_LIMITS.shutdownGracePeriodMs - 1);
    expect(launcher.last.done).toEqual(['SIGTERM group']);
    launcher.last.finish();
    await settle();
    expect(down).toHaveBeenCalled();
  });

  it.each(['does not read', 'leaves'])('ends without a client that %s', async (what) => {
    const { clock, registry, launcher, holder, session, down } = await setUpShutdown();
    launcher.last.finish();
    await settle();
    expect(down).not.toHaveBeenCalled();
    if (what === 'leaves') session.detach(holder);
    else await clock.advance(2000);
    await settle();
    expect(down).toHaveBeenCalled();
    expect([registry.size, clock.pending]).toEqual([0, 0]);
  });
});
