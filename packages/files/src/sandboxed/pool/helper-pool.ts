// The warm helpers of a server: one per session, policy and working directory. A helper is started when it is first
// wanted, used again while the paths that its policy names are the same files, and ended when it was idle for a while.

import type { Timer } from '@codex/exec-protocol';
import { invalidInput } from '../../fs-error.js';
import { explainRefusal } from '../policy/explain-refusal.js';
import type { RequestedPolicy } from '../policy/requested-policy.js';
import { HelperLauncher, type HelperLauncherOptions } from './helper-launcher.js';
import type { HelperProcess } from './helper-process.js';
import type { HelperAnswer, HelperCall } from './pending-calls.js';
import { PolicyFingerprint } from './policy-fingerprint.js';

/** The owner of helpers: a session. */
export interface HelperOwner {
  /** Aborted when the owner is over, and its helpers with it. */
  readonly endSignal: AbortSignal;
}

interface Member {
  readonly owner: HelperOwner;
  readonly fingerprint: string;
  readonly started: Promise<HelperProcess>;
  helper: HelperProcess | undefined;
  /** Calls that wait for the start, and the files and watches that are open in it. */
  users: number;
  usedAt: number;
  /** No longer given out: it ends with its last user. */
  isRetired: boolean;
}

export class HelperPool {
  readonly #options: HelperLauncherOptions;
  readonly #launcher: HelperLauncher;
  /** By owner, then by policy. */
  readonly #current = new Map<HelperOwner, Map<string, Member>>();
  readonly #members = new Set<Member>();
  readonly #fingerprints = new WeakMap<RequestedPolicy, PolicyFingerprint>();
  #sweep: Timer | undefined;
  #isClosed = false;

  constructor(options: HelperLauncherOptions) {
    this.#options = options;
    this.#launcher = new HelperLauncher(options);
  }

  get size(): number {
    return this.#members.size;
  }

  /** A call on the helper of `owner` for this policy. A helper with a call in flight is not ended for being idle. */
  call(owner: HelperOwner, policy: RequestedPolicy, call: HelperCall): Promise<HelperAnswer> {
    const member = this.#member(owner, policy);
    const { helper } = member;
    return helper === undefined ? this.#using(member, (started) => started.call(call)) : helper.call(call);
  }

  /**
   * Starts the helper of `owner` for this policy unless there is one; whether it still fits is asked by its next call.
   */
  async warm(owner: HelperOwner, policy: RequestedPolicy): Promise<void> {
    const known = this.#current.get(owner)?.get(policy.key);
    if (known === undefined || known.helper?.isLost === true)
      await this.use(owner, policy, async () => undefined);
  }

  /** Gives `act` the helper of `owner` for this policy; the helper is not ended for being idle meanwhile. */
  async use<T>(
    owner: HelperOwner,
    policy: RequestedPolicy,
    act: (helper: HelperProcess) => Promise<T>,
  ): Promise<T> {
    return this.#using(this.#member(owner, policy), act);
  }

  /** A file or a watch stays open in `helper`; the result lets go of it. */
  hold(helper: HelperProcess): () => void {
    const member = [...this.#members].find((candidate) => candidate.helper === helper);
    if (member === undefined) return () => undefined;
    member.users += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(member);
      isHeld = false;
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sweep?.cancel();
    const ending = [...this.#members].map((member) =>
      member.started.then(
        ({ gone }) => gone,
        () => undefined,
      ),
    );
    for (const member of this.#members) this.#end(member);
    await Promise.all(ending);
    this.#launcher.close();
  }

  async #using<T>(member: Member, act: (helper: HelperProcess) => Promise<T>): Promise<T> {
    member.users += 1;
    try {
      return await act(await member.started);
    } finally {
      this.#release(member);
    }
  }

  #member(owner: HelperOwner, policy: RequestedPolicy): Member {
    if (this.#isClosed) throw invalidInput('exec-server is shutting down');
    const own = this.#ownedBy(owner);
    const fingerprint = this.#fingerprint(policy);
    const known = own.get(policy.key);
    if (known !== undefined) {
      const isUsable = known.helper?.isLost !== true && known.fingerprint === fingerprint;
      if (isUsable) {
        known.usedAt = this.#options.clock.now();
        return known;
      }
      own.delete(policy.key);
      this.#retire(known);
    }
    this.#makeRoom(owner);
    const member = this.#start(owner, policy, fingerprint);
    own.set(policy.key, member);
    return member;
  }

  #fingerprint(policy: RequestedPolicy): string {
    const fingerprint = this.#fingerprints.get(policy) ?? new PolicyFingerprint(policy.resolved);
    this.#fingerprints.set(policy, fingerprint);
    return fingerprint.read();
  }

  #start(owner: HelperOwner, policy: RequestedPolicy, fingerprint: string): Member {
    const member: Member = {
      owner,
      fingerprint,
      started: this.#launcher.launch(policy).catch(explainRefusal),
      helper: undefined,
      users: 0,
      usedAt: this.#options.clock.now(),
      isRetired: false,
    };
    this.#members.add(member);
    member.started.then(
      (helper) => {
        member.helper = helper;
        void helper.gone.then(() => this.#forget(member));
      },
      () => this.#forget(member),
    );
    this.#scheduleSweep();
    return member;
  }

  #ownedBy(owner: HelperOwner): Map<string, Member> {
    if (owner.endSignal.aborted) throw invalidInput('the session is over');
    const known = this.#current.get(owner);
    if (known !== undefined) return known;
    const own = new Map<string, Member>();
    this.#current.set(owner, own);
    owner.endSignal.addEventListener('abort', () => this.#endOwner(owner), { once: true });
    return own;
  }

  #endOwner(owner: HelperOwner): void {
    for (const member of this.#members) if (member.owner === owner) this.#end(member);
    this.#current.delete(owner);
  }

  /** Makes place for one more helper, or says that there is none. Retired ones count as long as they are used. */
  #makeRoom(owner: HelperOwner): void {
    const { maxFileHelpersPerSession, maxFileHelpers } = this.#options.limits;
    const own = [...this.#members].filter((member) => member.owner === owner && !member.helper?.isLost);
    if (own.length >= maxFileHelpersPerSession && !this.#endIdlest(own)) {
      throw invalidInput(
        `too many sandbox policies in use: the limit (maxFileHelpersPerSession) is ${maxFileHelpersPerSession}`,
      );
    }
    if (this.#members.size >= maxFileHelpers && !this.#endIdlest([...this.#members])) {
      throw invalidInput(`too many file helpers: the limit (maxFileHelpers) is ${maxFileHelpers}`);
    }
  }

  #endIdlest(members: readonly Member[]): boolean {
    const idle = members.filter(isIdle).sort((left, right) => left.usedAt - right.usedAt)[0];
    if (idle === undefined) return false;
    this.#end(idle);
    return true;
  }

  #retire(member: Member): void {
    member.isRetired = true;
    if (isIdle(member)) this.#end(member);
  }

  #release(member: Member): void {
    member.users -= 1;
    member.usedAt = this.#options.clock.now();
  }

  #end(member: Member): void {
    this.#forget(member);
    void member.started.then(
      (helper) => helper.end(),
      () => undefined,
    );
  }

  #forget(member: Member): void {
    this.#members.delete(member);
    const own = this.#current.get(member.owner);
    for (const [key, candidate] of own ?? []) if (candidate === member) own?.delete(key);
  }

  #scheduleSweep(): void {
    if (this.#sweep !== undefined || this.#isClosed) return;
    const { fileHelperIdleMs } = this.#options.limits;
    this.#sweep = this.#options.clock.schedule(Math.max(fileHelperIdleMs / 4, 1), () => {
      this.#sweep = undefined;
      const now = this.#options.clock.now();
      for (const member of this.#members) {
        if (!isIdle(member)) member.usedAt = now;
        else if (member.isRetired || member.usedAt <= now - fileHelperIdleMs) this.#end(member);
      }
      if (this.#members.size > 0) this.#scheduleSweep();
    });
  }
}

function isIdle({ users, helper }: Member): boolean {
  return users === 0 && helper !== undefined && helper.inFlight === 0;
}
