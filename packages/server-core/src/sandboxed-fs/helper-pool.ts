// The warm helpers of a server: one per session, policy and working directory. A helper is started when it is first
// wanted, used again while the paths that its policy names are the same files, and ended when it was idle for a while.
import { createLauncher, type Launcher } from '@codex/launcher';
import {
  parseSandboxContext,
  prepareSandbox,
  type ResolvedPolicy,
  resolvePolicy,
  type SandboxContext,
} from '@codex/sandbox';
import type { Clock, Timer } from '../clock.js';
import { invalidInput } from '../fs/fs-error.js';
import type { FsLimits } from '../fs/fs-limits.js';
import type { Logger } from '../logger.js';
import { HelperProcess } from './helper-process.js';
import { policyView, viewSignature } from './policy-view.js';
import { type HelperCommand, runtimeFiles } from './runtime-files.js';

export interface HelperPoolOptions {
  readonly command: HelperCommand;
  readonly limits: FsLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What a policy without a working directory is about. */
  readonly cwd: string;
  /** The server's own temporary directory: what the policy's `tmpdir` means. */
  readonly tmpdir: string | undefined;
  /** Never readable in a sandbox, whatever the policy says. */
  readonly secretFiles: readonly string[];
  readonly launcher?: Launcher;
}

interface Member {
  readonly owner: object;
  readonly signature: string;
  readonly started: Promise<HelperProcess>;
  helper: HelperProcess | undefined;
  /** Calls that wait for the start, and files that are open in it. */
  users: number;
  usedAt: number;
  /** No longer given out: it ends with its last user. */
  isRetired: boolean;
}

/** A policy as a request gave it, ready to be enforced. Undefined rules: nothing is restricted. */
export interface RequestedPolicy {
  readonly key: string;
  readonly resolved: ResolvedPolicy;
  readonly cwd: string;
}

/** Where a helper stands: a directory that every sandbox has, whatever its policy. */
const HELPER_CWD = process.platform === 'linux' ? '/proc' : '/';

export class HelperPool {
  readonly #options: HelperPoolOptions;
  /** By owner, then by policy. */
  readonly #current = new Map<object, Map<string, Member>>();
  readonly #members = new Set<Member>();
  #ownLauncher: Launcher | undefined;
  #runtimeFiles: readonly string[] | undefined;
  #sweep: Timer | undefined;
  #isClosed = false;

  constructor(options: HelperPoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Throws a SandboxError for a policy that makes no sense. */
  parse(sandbox: unknown): RequestedPolicy {
    const { cwd: serverCwd, tmpdir } = this.#options;
    const context: SandboxContext = parseSandboxContext(sandbox, { cwd: serverCwd });
    const { policy, cwd, workspaceRoots } = context;
    const resolved = resolvePolicy(policy, {
      cwd,
      workspaceRoots,
      ...(tmpdir === undefined ? {} : { tmpdir }),
    });
    return {
      key: JSON.stringify([resolved.rules, resolved.denyGlobs, resolved.globScanMaxDepth, cwd]),
      resolved,
      cwd,
    };
  }

  /** Gives `act` the helper of `owner` for this policy; the helper is not ended for being idle meanwhile. */
  async use<T>(
    owner: object,
    policy: RequestedPolicy,
    act: (helper: HelperProcess) => Promise<T>,
  ): Promise<T> {
    const member = this.#member(owner, policy);
    member.users += 1;
    try {
      return await act(await member.started);
    } finally {
      this.#release(member);
    }
  }

  /** A file stays open in `helper`; the result lets go of it. */
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

  endOwner(owner: object): void {
    for (const member of this.#members) if (member.owner === owner) this.#end(member);
    this.#current.delete(owner);
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
    this.#ownLauncher?.close();
  }

  #member(owner: object, policy: RequestedPolicy): Member {
    if (this.#isClosed) throw invalidInput('exec-server is shutting down');
    const own = this.#current.get(owner) ?? new Map<string, Member>();
    this.#current.set(owner, own);
    const signature = viewSignature(policy.resolved);
    const known = own.get(policy.key);
    if (known !== undefined) {
      const isUsable = known.helper?.isLost !== true && known.signature === signature;
      if (isUsable) {
        known.usedAt = this.#options.clock.now();
        return known;
      }
      own.delete(policy.key);
      this.#retire(known);
    }
    this.#makeRoom(own);
    const member = this.#start(owner, policy, signature);
    own.set(policy.key, member);
    return member;
  }

  #start(owner: object, policy: RequestedPolicy, signature: string): Member {
    const member: Member = {
      owner,
      signature,
      started: this.#launch(policy),
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

  async #launch({ resolved, cwd }: RequestedPolicy): Promise<HelperProcess> {
    const { command, clock, limits, secretFiles, logger } = this.#options;
    this.#runtimeFiles ??= runtimeFiles(command);
    const view = policyView(resolved, {
      runtime: [...this.#runtimeFiles, HELPER_CWD],
      secret: secretFiles,
    });
    const launcher = this.#options.launcher ?? this.#launcher();
    const prepared = await prepareSandbox({
      argv: command.argv,
      cwd: HELPER_CWD,
      env: { UV_THREADPOOL_SIZE: '8' },
      policy: view.mounts,
      context: { cwd, workspaceRoots: [], protectedNames: [] },
      // The native launcher ends the tree when this server ends.
      dieWithParent: launcher.kind !== 'native',
      alwaysDeny: secretFiles,
    });
    for (const warning of prepared.warnings) logger.debug('file sandbox', { warning });
    return HelperProcess.start({
      launcher,
      prepared,
      view,
      clock,
      timeoutMs: limits.fileHelperTimeoutMs,
    });
  }

  /** Makes place for one more helper, or says that there is none. */
  #makeRoom(own: Map<string, Member>): void {
    const { maxFileHelpersPerSession, maxFileHelpers } = this.#options.limits;
    if (own.size >= maxFileHelpersPerSession && !this.#endIdlest([...own.values()])) {
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
    if (own?.size === 0) this.#current.delete(member.owner);
  }

  #scheduleSweep(): void {
    if (this.#sweep !== undefined || this.#isClosed) return;
    const { fileHelperIdleMs } = this.#options.limits;
    this.#sweep = this.#options.clock.schedule(Math.max(fileHelperIdleMs / 4, 1), () => {
      this.#sweep = undefined;
      const before = this.#options.clock.now() - fileHelperIdleMs;
      for (const member of this.#members) {
        if (isIdle(member) && (member.isRetired || member.usedAt <= before)) this.#end(member);
      }
      if (this.#members.size > 0) this.#scheduleSweep();
    });
  }

  #launcher(): Launcher {
    this.#ownLauncher ??= createLauncher();
    return this.#ownLauncher;
  }
}

function isIdle({ users, helper }: Member): boolean {
  return users === 0 && helper !== undefined && helper.inFlight === 0;
}
